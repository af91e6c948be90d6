import { type BusinessHours, type HoursChange, weekdays } from "@vitaline/contract";

type Weekday = (typeof weekdays)[number];
type Range = { start: string; end: string };
type DayValues = Range & { rule: "same" | "own" | "closed"; breaks: Range[] };

/** Values stay while their control is off. */
export type HoursValues = {
  source: "inherited" | "own";
  start: string;
  end: string;
  breaks: Range[];
  /** Breaks of these own hours are saved. */
  hadBreaks: boolean;
  timezone: string;
  days: Record<Weekday, DayValues>;
};

const dayValues = ({ start, end, breaks = [], days }: BusinessHours, day: Weekday): DayValues => {
  const own = days?.[day];
  if (own) return { rule: "own", ...own, breaks: own.breaks ?? [] };
  return { rule: own === null ? "closed" : "same", start, end, breaks };
};

/** Without own hours, the values start with the inherited ones. */
export const hoursValues = (own: BusinessHours | null | undefined, inherited: BusinessHours): HoursValues => {
  const hours = own ?? inherited;
  const days = Object.fromEntries(weekdays.map((day) => [day, dayValues(hours, day)])) as Record<Weekday, DayValues>;
  const { start, end, breaks = [], timezone } = hours;
  return { source: own ? "own" : "inherited", start, end, breaks, hadBreaks: own?.breaks !== undefined, timezone, days };
};

const ownHours = ({ start, end, breaks }: DayValues) => ({ start, end, ...(breaks.length === 0 ? {} : { breaks }) });

/** Hours that have and had no breaks are sent as before there were any. */
const changeOf = (breaks: Range[], hadBreaks: boolean) => (breaks.length > 0 ? { breaks } : hadBreaks ? { breaks: null } : {});

/** null if inherited. */
export const hoursOf = ({ source, start, end, breaks, hadBreaks, timezone, days }: HoursValues): HoursChange | null => {
  if (source === "inherited") return null;
  const differing = weekdays
    .filter((day) => days[day].rule !== "same")
    .map((day) => [day, days[day].rule === "closed" ? null : ownHours(days[day])] as const);
  return {
    start,
    end,
    timezone,
    ...changeOf(breaks, hadBreaks),
    days: differing.length === 0 ? null : Object.fromEntries(differing),
  };
};
