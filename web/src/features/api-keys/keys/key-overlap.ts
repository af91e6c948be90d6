import { useEffect, useState } from "react";
import { formatMoment } from "../../../lib/format/times.ts";

/** How long the old key stays valid after a regeneration, in seconds. */
export const overlapOptions = [
  { value: "0", label: "Now" },
  { value: "3600", label: "In 1 hour" },
  { value: "86400", label: "In 24 hours" },
  { value: "604800", label: "In 7 days" },
] as const;

export const regenerationWarning = (overlapSeconds: number): string =>
  overlapSeconds === 0
    ? "This will invalidate the current key and break all existing integrations until updated."
    : "Existing integrations keep working with the current key until the time below. Update them before then, or they will stop working.";

export const oldKeyExpiry = (overlapSeconds: number, now: Date, zone: string): string =>
  overlapSeconds === 0
    ? "The current key stops working at once."
    : `The current key keeps working until ${formatMoment(new Date(now.getTime() + overlapSeconds * 1000).toISOString(), zone)}.`;

const units = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/** The two largest units, as in "6 d 23 h" or "59 min 12 s"; undefined when no time is left. */
export const timeLeft = (until: string, now: Date): string | undefined => {
  const seconds = Math.ceil((Date.parse(until) - now.getTime()) / 1000);
  if (seconds <= 0) return undefined;
  const largest = units.findIndex((unit) => seconds >= unit.seconds);
  return units
    .slice(largest, largest + 2)
    .map((unit, index) => `${Math.floor((index === 0 ? seconds : seconds % (units[largest]?.seconds ?? 1)) / unit.seconds)} ${unit.name}`)
    .join(" ");
};

/** The current time, updated every second while `isCounting(now)`. */
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
