import { useCallback, useEffect, useState } from "react";
import { useAction } from "../../api/use-action.ts";

const shownMilliseconds = 60_000;

/**
 * Something secret, on screen for a minute at most and only while the page is looked at. It is read anew each time, and
 * lives nowhere but here.
 */
export const useShown = <T extends string | readonly object[]>(read: () => Promise<T>) => {
  const [secret, setSecret] = useState<T>();
  const hide = useCallback(() => setSecret(undefined), []);
  /** What arrives after somebody looked away stays hidden. */
  const reveal = (text: T) => (document.visibilityState === "visible" ? setSecret(text) : hide());
  const { run: show, isBusy: isReading } = useAction(async () => reveal(await read()));

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
