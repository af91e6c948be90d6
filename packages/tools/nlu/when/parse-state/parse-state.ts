import type { BusinessHours } from "@vitaline/contract";
import { weekdayNames } from "../../calendar.ts";
import { type Language, months } from "../../numbers.ts";

export type UtteranceContext = {
  now: Date;
  timeZone: string;
  /** Without them an hour of the clock is read as morning and as evening. */
  hours?: BusinessHours | undefined;
  /** Where the words themselves do not tell. */
  language?: Language | undefined;
};

/** Both ends are included; without `until` any day from then on. */
export type DateRange = { from: string; until?: string };

export type Days = { ranges: DateRange[]; isApproximate?: boolean };
/** `either`: possible readings. `others`: days that a weekday beside them may select. `weekdays`: said as weekdays alone. */
export type DayChoice = { either: Days[]; others?: string[]; weekdays?: number[] };

/** Minutes after midnight. `isEitherHalf`: then, or twelve hours later. */
export type Clock = { minutes: number; isEitherHalf?: boolean };
/**
 * A point in time where both ends are one. `bound`: only this end was said, or either is meant. `half`: a part of the day. `edge`: the first or last hour of
 * the office. `or`: another reading.
 */
export type TimeChoice = {
  from: Clock;
  until: Clock;
  bound?: "from" | "until" | "either";
  half?: "am" | "pm";
  edge?: "opening" | "closing";
  isApproximate?: boolean;
  or?: TimeChoice;
};

/** `text`: the words not understood so far, with `d0` and `t0` for the days and times found. */
export type ParseState = {
  text: string;
  days: DayChoice[];
  times: TimeChoice[];
  today: string;
  minutes: number;
  context: UtteranceContext;
};

/** The replacement for what matches; undefined leaves it. */
export type Rule = [pattern: RegExp, read: (state: ParseState, ...groups: string[]) => string | undefined];

const names: Record<string, string> = {
  W: weekdayNames.join("|"),
  M: months.join("|"),
  U: "day|week|month|year",
  D: "d\\d+",
  T: "t\\d+",
  H: "1[0-2]|0?[1-9]",
};

/** Whole words; {W} is a weekday, {M} a month, {U} a unit, {D} and {T} what was found, {H} an hour of the clock. */
export const wholeWords = (source: string): RegExp =>
  new RegExp(
    `(?<![\\w:/]|\\d-)(?:${source.replace(/\{([A-Z])\}/g, (_, name: string) => `(?:${names[name]})`)})(?:(?<= )|(?![\\w:/]|-\\d))`,
    "g",
  );

export const rule = (source: string, read: Rule[1]): Rule => [wholeWords(source), read];

export function applyRules(state: ParseState, rules: readonly Rule[]): void {
  for (const [pattern, read] of rules)
    state.text = state.text
      .replace(pattern, (whole, ...rest: unknown[]) => {
        const groups = rest.slice(
          0,
          rest.findIndex((one) => typeof one === "number"),
        ) as string[];
        return read(state, ...groups) ?? whole;
      })
      .replace(/ {2,}/g, " ");
}

export const addDaysFound = (state: ParseState, choice: DayChoice): string => `d${state.days.push(choice) - 1}`;
export const addTimeFound = (state: ParseState, choice: TimeChoice): string => `t${state.times.push(choice) - 1}`;
export const daysFound = ({ days }: ParseState, token: string): DayChoice => days[Number(token.slice(1))]!;
export const timeFound = ({ times }: ParseState, token: string): TimeChoice => times[Number(token.slice(1))]!;

export const oneDay = (day: string): Days => ({ ranges: [{ from: day, until: day }] });
export const singleDay = ({ ranges }: Days): string | undefined =>
  ranges.length === 1 && ranges[0]!.from === ranges[0]!.until ? ranges[0]!.from : undefined;
export const rangeOf = (from: string, until: string, isApproximate = false): Days => ({ ranges: [{ from, until }], isApproximate });

export const putDays = (state: ParseState, ...either: Days[]): string => addDaysFound(state, { either });

export const putDay = (state: ParseState, at: string): string => addDaysFound(state, { either: [oneDay(at)], others: [at] });
