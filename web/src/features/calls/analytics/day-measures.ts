import type { ChartDay } from "@vitaline/contract";
import { formatCount } from "../../../lib/format/numbers.ts";
import type { CountedCalls } from "../page-range.ts";

type CountKey = Exclude<keyof ChartDay, "date">;

/** `look` tells the series apart without colors. */
export type Series = {
  key: CountKey;
  name: string;
  look: "column" | "line" | "dashes";
  /** What the counted calls have in common; undefined: all that ended. */
  counted?: Pick<CountedCalls, "outcome" | "result">;
};

export type Measure = {
  title: string;
  /** Spans both columns */
  isWide: boolean;
  series: readonly Series[];
};

export const measures: readonly Measure[] = [
  {
    title: "Calls",
    isWide: true,
    series: [
      { key: "calls", name: "All calls", look: "column" },
      { key: "resolved", name: "Resolved", look: "line", counted: { outcome: "resolved" } },
      { key: "forwarded", name: "Transferred to staff", look: "dashes", counted: { outcome: "transferred" } },
    ],
  },
  { title: "Call minutes", isWide: false, series: [{ key: "minutes", name: "Minutes", look: "column" }] },
  {
    title: "Appointments booked",
    isWide: false,
    series: [{ key: "revenueEvents", name: "Appointments", look: "column", counted: { result: "booked" } }],
  },
  {
    title: "Abandoned calls",
    isWide: true,
    series: [{ key: "abandoned", name: "Abandoned", look: "column", counted: { outcome: "abandoned" } }],
  },
];

/** The calls of a day that a series counts, or that all series together count. */
export const callsOfDay = (day: string, { counted = { outcome: "ended" } }: Pick<Series, "counted"> = {}): CountedCalls => ({
  day,
  ...counted,
});

const short = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
const long = new Intl.DateTimeFormat("en-US", { weekday: "short", month: "short", day: "numeric", year: "numeric", timeZone: "UTC" });

/** "2026-11-21" to "Nov 21" */
export const shortDay = (date: string): string => short.format(new Date(date));

/** "2026-11-21" to "Sat, Nov 21, 2026" */
export const longDay = (date: string): string => long.format(new Date(date));

const sumOf = (days: readonly ChartDay[], key: CountKey): number => days.reduce((sum, day) => sum + day[key], 0);

export const hasNoCalls = (days: readonly ChartDay[]): boolean => sumOf(days, "calls") + sumOf(days, "revenueEvents") === 0;

const describeSeries = (days: readonly ChartDay[], { key, name }: Series): string => {
  const [best] = days.toSorted((one, other) => other[key] - one[key]);
  const total = `${name}: ${formatCount(sumOf(days, key))} in total`;
  return best && best[key] > 0 ? `${total}, most on ${shortDay(best.date)} with ${formatCount(best[key])}.` : `${total}.`;
};

/** The chart's text alternative for screen readers. */
export const describeDays = ({ title, series }: Measure, days: readonly ChartDay[]): string => {
  const [first, last] = [days.at(0), days.at(-1)];
  const when = first && last ? `, ${shortDay(first.date)} to ${shortDay(last.date)}` : "";
  return [`${title} by day${when}.`, ...series.map((one) => describeSeries(days, one))].join(" ");
};
