/** Whole minutes, or the word "Call" while nobody has said how long it was. */
export const formatCallMinutes = (durationSeconds: number | null): string => {
  if (!durationSeconds) return "Call";
  return durationSeconds < 30 ? "<1m" : `${Math.round(durationSeconds / 60)}m`;
};

const dayAndTime = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" });
const exact = new Intl.DateTimeFormat("en-US", { dateStyle: "full", timeStyle: "long" });
const clock = new Intl.DateTimeFormat("en-US", { hour: "numeric", minute: "2-digit", second: "2-digit" });

/** "Nov 21, 3:14 PM" in this browser's zone. */
export const formatMoment = (instant: string): string => dayAndTime.format(new Date(instant));

/** The whole date with its zone, for a title. */
export const formatExactly = (instant: string): string => exact.format(new Date(instant));

export const formatClock = (date: Date): string => clock.format(date);
