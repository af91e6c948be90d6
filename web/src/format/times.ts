/** Whole minutes, or the word "Call" while nobody has said how long it was. */
export const formatCallMinutes = (durationSeconds: number | null): string => {
  if (!durationSeconds) return "Call";
  return durationSeconds < 30 ? "<1m" : `${Math.round(durationSeconds / 60)}m`;
};

/** "4m 32s", or "N/A" while nobody has said how long it was. */
export const formatDuration = (seconds: number | null): string =>
  seconds === null ? "N/A" : `${Math.floor(Math.round(seconds) / 60)}m ${Math.round(seconds) % 60}s`;

/** An average in whole minutes. */
export const formatAverageMinutes = (seconds: number): string => `${Math.round(seconds / 60)}m`;

const inZone = (timeZone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-US", { ...options, ...(timeZone ? { timeZone } : {}) });

/** "Nov 21, 3:14 PM", in this browser's zone or the one given. */
export const formatMoment = (instant: string, timeZone?: string): string =>
  inZone(timeZone, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }).format(new Date(instant));

/** The whole date with its zone, for a title. */
export const formatExactly = (instant: string, timeZone?: string): string =>
  inZone(timeZone, { dateStyle: "full", timeStyle: "long" }).format(new Date(instant));

/** "Nov 21, 2026" */
export const formatDay = (instant: string, timeZone?: string): string =>
  inZone(timeZone, { month: "short", day: "numeric", year: "numeric" }).format(new Date(instant));

/** "3:14:07 PM", in this browser's zone or the one given. */
export const formatClock = (date: Date, timeZone?: string): string =>
  inZone(timeZone, { hour: "numeric", minute: "2-digit", second: "2-digit" }).format(date);
