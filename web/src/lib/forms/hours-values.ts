import { type BusinessHours, type HoursChange, weekdays } from "@vitaline/contract";

type Weekday = (typeof weekdays)[number];
type DayValues = { rule: "same" | "own" | "closed"; start: string; end: string };

/** Values stay while their control is off. */
export type HoursValues = {
  source: "inherited" | "own";
  start: string;
  end: string;
  timezone: string;
  days: Record<Weekday, DayValues>;
};

const dayValues = ({ start, end, days }: BusinessHours, day: Weekday): DayValues => {
  const own = days?.[day];
  if (own === null) return { rule: "closed", start, end };
  return own === undefined ? { rule: "same", start, end } : { rule: "own", ...own };
};

/** Without own hours, the values start with the inherited ones. */
export const hoursValues = (own: BusinessHours | null | undefined, inherited: BusinessHours): HoursValues => {
  const hours = own ?? inherited;
  const days = Object.fromEntries(weekdays.map((day) => [day, dayValues(hours, day)])) as Record<Weekday, DayValues>;
  return { source: own ? "own" : "inherited", start: hours.start, end: hours.end, timezone: hours.timezone, days };
};

/** null if inherited. */
export const hoursOf = ({ source, start, end, timezone, days }: HoursValues): HoursChange | null => {
  if (source === "inherited") return null;
  const differing = weekdays
    .filter((day) => days[day].rule !== "same")
    .map((day) => [day, days[day].rule === "closed" ? null : { start: days[day].start, end: days[day].end }] as const);
  return { start, end, timezone, days: differing.length === 0 ? null : Object.fromEntries(differing) };
};
