/** "Monday, November 23". */
export const sayDate = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-US", { timeZone, weekday: "long", month: "long", day: "numeric" }).format(new Date(instant));

/** "Monday, November 23 at 9:30 AM". */
export function sayTime(start: string, timeZone: string): string {
  const time = new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", minute: "2-digit" }).format(new Date(start));
  return `${sayDate(start, timeZone)} at ${time}`.replace(/\s/gu, " ");
}
