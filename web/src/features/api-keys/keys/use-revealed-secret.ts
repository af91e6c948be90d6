import { useCallback, useEffect, useRef, useState } from "react";
import { useAction } from "../../../lib/api/use-action.ts";

const shownMilliseconds = 60_000;

/**
 * Something secret, on screen for a minute at most and only while the page is looked at. It is read anew each time, and
 * lives nowhere but here.
 */
export const useShown = <T extends string | readonly object[]>(read: () => Promise<T>) => {
  const [secret, setSecret] = useState<T>();
  /** Counts what was hidden or revealed: a look that began before the last of it has come too late. */
  const changes = useRef(0);
  const change = useCallback((to: T | undefined) => {
    changes.current += 1;
    setSecret(to);
  }, []);
  const hide = useCallback(() => change(undefined), [change]);
  /** What arrives after somebody looked away stays hidden. */
  const reveal = (text: T) => change(document.visibilityState === "visible" ? text : undefined);
  const { run: show, isBusy: isReading } = useAction(async () => {
    const began = changes.current;
    const text = await read();
    if (changes.current === began) reveal(text);
  });

  useEffect(() => {
    if (secret === undefined) return;
    const timer = setTimeout(hide, shownMilliseconds);
    // The page comes to the front only by being hidden first, so every change of it ends the look.
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
