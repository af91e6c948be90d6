import type { DayChoice, Days } from "../parse-state/parse-state.ts";
import { months } from "../../numbers.ts";

/** Said as a date, but of no day: no other rule may read its parts. */
export const noDay = "impossible";

export const monthNumber = (name: string): number => months.indexOf(name) + 1;

/** A day that passed this recently may be meant itself. */
export const recentDays = 92;

export const choice = (either: Days[], more: Omit<DayChoice, "either"> = {}): DayChoice => ({ either, ...more });

export const notBefore = (today: string, { ranges, ...days }: Days): Days => ({
  ...days,
  ranges: ranges.map(({ from, until }) => ({ from: from < today && (until ?? from) >= today ? today : from, ...(until ? { until } : {}) })),
});
