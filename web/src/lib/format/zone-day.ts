const dayMilliseconds = 86_400_000;

/** Offset of a time zone from UTC at an instant, both in milliseconds. */
const utcOffsetAt = (instant: number, timeZone: string): number => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const of = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const shown = Date.UTC(of["year"]!, of["month"]! - 1, of["day"], of["hour"], of["minute"], of["second"]);
  return shown - Math.floor(instant / 1000) * 1000;
};

/** "2026-11-22" in a time zone */
export const dayIn = (timeZone: string, instant: Date): string =>
  new Date(instant.getTime() + utcOffsetAt(instant.getTime(), timeZone)).toISOString().slice(0, 10);

/** "2026-11-22" plus a number of days */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMilliseconds).toISOString().slice(0, 10);

/** The first instant of a day in a time zone. Not always midnight: some zones start daylight saving time then. */
export const startOfDay = (day: string, timeZone: string): string => {
  const midnight = Date.parse(day);
  const starts = [-dayMilliseconds, dayMilliseconds]
    .map((near) => midnight - utcOffsetAt(midnight + near, timeZone))
    .toSorted((a, b) => a - b);
  const start = starts.find((one) => dayIn(timeZone, new Date(one)) === day);
  return new Date(start ?? midnight).toISOString();
};

/** The last millisecond of a day in a time zone. */
export const endOfDay = (day: string, timeZone: string): string =>
  new Date(Date.parse(startOfDay(daysAfter(day, 1), timeZone)) - 1).toISOString();

/** "2026-11-22T15:14" in a time zone, as a field for a date and time has it. */
export const minuteIn = (timeZone: string, instant: string): string =>
  new Date(Date.parse(instant) + utcOffsetAt(Date.parse(instant), timeZone)).toISOString().slice(0, 16);

/** The instant of "2026-11-22T15:14" in a time zone; the first of two, and one after the change of a clock that skips it. */
export const instantOf = (timeZone: string, minute: string): string => {
  const shown = Date.parse(`${minute}Z`);
  const near = [-dayMilliseconds, dayMilliseconds].map((one) => shown - utcOffsetAt(shown + one, timeZone)).toSorted((a, b) => a - b);
  const found = near.find((one) => minuteIn(timeZone, new Date(one).toISOString()) === minute);
  return new Date(found ?? Math.max(...near)).toISOString();
};
