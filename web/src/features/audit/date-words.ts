const format = new Intl.DateTimeFormat("en-US", { month: "short", day: "2-digit", year: "numeric", timeZone: "UTC" });

const isWritten = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** Whether a text is a date as machines write it, "2026-05-01". */
export const isDate = (text: string): boolean => isWritten(text) && !Number.isNaN(Date.parse(text));

/** "2026-05-01" as "May 01, 2026". */
export const formatDate = (date: string): string => format.format(new Date(`${date}T00:00:00Z`));

/** A date that somebody typed ("May 1, 2026", "5/1/2026", "2026-05-01") as "2026-05-01"; undefined for what is none. */
export const readDate = (typed: string): string | undefined => {
  const text = typed.trim();
  // Without a year browsers make one up.
  if (!/\b\d{4}\b/.test(text)) return undefined;
  const ms = Date.parse(isWritten(text) ? `${text}T00:00:00Z` : `${text} UTC`);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString().slice(0, 10);
};

/** "2026-05-01", as the date is in a time zone. */
const dateIn = (timeZone: string, now: Date): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);

/** The last 30 days of a time zone, both included. */
export const usualPeriod = (timeZone: string, now: Date): { start: string; end: string } => {
  const end = dateIn(timeZone, now);
  return { start: new Date(Date.parse(end) - 29 * 86_400_000).toISOString().slice(0, 10), end };
};
