import { AppError, dayMs, utcDate } from "@vitaline/core";

const defaultDays = 30;
const maxDays = 366;
/** No data is older; also keeps years at four digits. */
const earliest = "2000-01-01";

/** Dates in a time zone, both inclusive. */
export type Period = { start: string; end: string; timeZone: string };

const refuse = (field: "start" | "end", message: string): never => {
  throw new AppError("invalid_request", message, { fields: { [field]: message } });
};

type Asked = Pick<Period, "timeZone"> & Partial<Period>;

/** As `anyPeriod`, and at most a year. */
export function reportPeriod(asked: Asked, now: Date): Period {
  const period = anyPeriod(asked, now);
  if (period.start <= dayAfter(period.end, -maxDays)) refuse("start", "A report covers at most one year");
  return period;
}

/** Any days that are not in the future; by default the last 30. AppError `invalid_request`. */
export function anyPeriod({ start, end, timeZone }: Asked, now: Date): Period {
  const today = dateIn(timeZone, now.getTime());
  const last = end ?? today;
  if (last < earliest && !start) refuse("end", `The end date must not be before ${earliest}`);
  const first = start ?? dayAfter(last, 1 - defaultDays);
  if (first < earliest) refuse("start", `The start date must not be before ${earliest}`);
  if (first > today) refuse("start", "The start date must not lie in the future");
  if (last > today) refuse("end", "The end date must not lie in the future");
  if (first > last) refuse("start", "The start date must not be after the end date");
  return { start: first, end: last, timeZone };
}

/** `untilMs` is exclusive. */
export const periodBounds = ({ start, end, timeZone }: Period): { fromMs: number; untilMs: number } => ({
  fromMs: startOfDay(start, timeZone),
  untilMs: startOfDay(dayAfter(end, 1), timeZone),
});

const dayAfter = (date: string, days: number): string => utcDate(Date.parse(date) + days * dayMs);

const clockIn = (timeZone: string, ms: number): string =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(ms);
const dateIn = (timeZone: string, ms: number): string => clockIn(timeZone, ms).slice(0, 10);
const offsetMs = (timeZone: string, ms: number): number =>
  Date.parse(`${clockIn(timeZone, ms).replace(" ", "T")}Z`) - Math.floor(ms / 1000) * 1000;

/** Computed twice, as the offset may change between UTC midnight and local midnight. */
const startOfDay = (date: string, timeZone: string): number => {
  const midnight = Date.parse(date);
  const near = midnight - offsetMs(timeZone, midnight);
  return midnight - offsetMs(timeZone, near);
};
