import { type BusinessHours, type HoursChange, weekdays } from "@vitaline/contract";

type Weekday = (typeof weekdays)[number];
/** What holds on one day: the hours of all days, hours of its own, or none. */
type DayValues = { rule: "same" | "own" | "closed"; start: string; end: string };

/** Business hours as a form holds them. Everything keeps its values while it is switched off. */
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

/** Hours of one's own, else the inherited ones, from which one's own begin when they are switched on. */
export const hoursValues = (own: BusinessHours | null | undefined, inherited: BusinessHours): HoursValues => {
  const hours = own ?? inherited;
  const days = Object.fromEntries(weekdays.map((day) => [day, dayValues(hours, day)])) as Record<Weekday, DayValues>;
  return { source: own ? "own" : "inherited", start: hours.start, end: hours.end, timezone: hours.timezone, days };
};

/** The hours that a form says; null where it says none of its own. */
export const hoursOf = ({ source, start, end, timezone, days }: HoursValues): HoursChange | null => {
  if (source === "inherited") return null;
  const differing = weekdays
    .filter((day) => days[day].rule !== "same")
    .map((day) => [day, days[day].rule === "closed" ? null : { start: days[day].start, end: days[day].end }] as const);
  return { start, end, timezone, days: differing.length === 0 ? null : Object.fromEntries(differing) };
};
