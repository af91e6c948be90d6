import { useEffect, useState } from "react";

/** The time, anew each second as long as there is something to count at it. */
export const useNow = (counts: (now: Date) => boolean): Date => {
  const [now, setNow] = useState(() => new Date());
  const isCounting = counts(now);
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return now;
};
