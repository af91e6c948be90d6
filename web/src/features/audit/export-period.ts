import type { AuditRange } from "@vitaline/contract";

const dayMs = 86_400_000;
const days: Readonly<Record<AuditRange, number>> = { "24hours": 1, "7days": 7, "30days": 30, "90days": 90 };

/** "2026-05-01", as the date is in a time zone. */
const dateIn = (timeZone: string, ms: number): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(ms);

/** The whole days that hold a time range which ends now; an export begins and ends with a day. */
export const periodOf = (timeRange: AuditRange, timeZone: string, now: Date): { start: string; end: string } => ({
  start: dateIn(timeZone, now.getTime() - days[timeRange] * dayMs),
  end: dateIn(timeZone, now.getTime()),
});

/** "Apr 24 to May 1, 2026"; a day is the same wherever one reads of it. */
export const formatPeriod = ({ start, end }: { start: string; end: string }): string => {
  const inWords = (date: string, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat("en-US", { ...options, month: "short", day: "numeric", timeZone: "UTC" }).format(new Date(date));
  const last = inWords(end, { year: "numeric" });
  if (start === end) return last;
  return `${inWords(start, start.slice(0, 4) === end.slice(0, 4) ? {} : { year: "numeric" })} to ${last}`;
};
