import { useCallback, useEffect, useRef, useState } from "react";
import { useAction } from "../../../lib/api/use-action.ts";

const shownMilliseconds = 60_000;

/** A secret that is read again for each look and hidden after a minute, or when the page loses visibility. */
export const useRevealedSecret = <T extends string | readonly object[]>(read: () => Promise<T>) => {
  const [secret, setSecret] = useState<T>();
  /** Number of changes so far, to discard a read that began before the last one. */
  const changes = useRef(0);
  const change = useCallback((to: T | undefined) => {
    changes.current += 1;
    setSecret(to);
  }, []);
  const hide = useCallback(() => change(undefined), [change]);
  const reveal = (text: T) => change(document.visibilityState === "visible" ? text : undefined);
  const { run: show, isBusy: isReading } = useAction(async () => {
    const began = changes.current;
    const text = await read();
    if (changes.current === began) reveal(text);
  });

  useEffect(() => {
    if (secret === undefined) return;
    const timer = setTimeout(hide, shownMilliseconds);
    // A page becomes visible only after it was hidden, so any visibility change hides the secret.
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("pagehide", hide);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("pagehide", hide);
    };
  }, [secret, hide]);

  return { secret, isReading, show, hide, reveal };
};
