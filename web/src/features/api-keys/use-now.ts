import { useEffect, useState } from "react";

/** The time, anew each second as long as somebody counts. */
export const useNow = (isCounting: boolean): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(() => setNow(new Date()), 1000);
    return () => clearInterval(timer);
  }, [isCounting]);
  return now;
};
