import { useEffect, useState } from "react";

const secondsUntil = (instant: string): number => Math.max(0, Math.ceil((Date.parse(instant) - Date.now()) / 1000));

/** Whole seconds until an instant, by the clock, as a computer that slept does not count; 0 once it has passed. */
export const useSecondsLeft = (until: string): number => {
  const [left, setLeft] = useState(() => secondsUntil(until));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(until)), 1000);
    return () => clearInterval(timer);
  }, [until]);
  return left;
};
