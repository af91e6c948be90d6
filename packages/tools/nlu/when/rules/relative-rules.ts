import { dayIn } from "@vitaline/core";
import { addDays, addMonths, mondayOf, monthEnd, monthStart, partsIn } from "../../calendar.ts";
import {
  addDaysFound,
  addTimeFound,
  type Days,
  daysFound,
  type ParseState,
  oneDay,
  putDay,
  putDays,
  rangeOf,
  type Rule,
  rule,
  singleDay,
} from "../parse-state/parse-state.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const shifted = (from: string, count: number, unit: string): string => {
  if (unit === "month" || unit === "year") return addMonths(from, count * (unit === "year" ? 12 : 1));
  return addDays(from, count * (unit === "week" ? 7 : 1));
};

const fewOf: Record<string, number> = { few: 3 };

export const countOf = (count: string): number => fewOf[count] ?? Number(count);

/** In weeks and longer the exact day is seldom meant. */
const ahead = (state: ParseState, count: string, unit: string): string => {
  const at = shifted(state.today, countOf(count), unit);
  if (unit === "day" && count !== "few") return putDay(state, at);
  const others = unit === "week" ? [...Array(7).keys()].map((days) => addDays(mondayOf(at), days)) : undefined;
  return addDaysFound(state, { either: [{ ...oneDay(at), isApproximate: true }], ...(others ? { others } : {}) });
};

/** Where each reading is a single day. */
export function ofDay(state: ParseState, token: string, read: (day: string) => Days): string | undefined {
  const days = daysFound(state, token).either.map((one) => singleDay(one));
  return days.every((one) => one !== undefined) ? putDays(state, ...days.map(read)) : undefined;
}

export const moved = (state: ParseState, token: string, count: number, unit: string): string | undefined =>
  ofDay(state, token, (day) => oneDay(shifted(day, count, unit)));

export const n = "(\\d{1,2}|few)";

const between = (state: ParseState, from: number, until: number, unit: string): string =>
  putDays(state, rangeOf(from === 0 ? state.today : shifted(state.today, from, unit), shifted(state.today, until, unit), from > 0));

/** "In a week or two", "three to four weeks out". */
const countedRules: Rule[] = [
  rule("(?:(?:with)?in|over|during) (?:the )?(?:next |coming )(?:1 )?({U}) or 2", (state, unit) => between(state, 0, 2, unit!)),
  rule("(?:with)?in (?:the )?(?:next |coming )(\\d{1,2})(?: to| or)? (\\d{1,2}) ({U})", (state, _, until, unit) =>
    between(state, 0, Number(until), unit!),
  ),
  rule("in (?:about |like |maybe )*1 ({U}) or (?:2|so)(?! {U})", (state, unit) => between(state, 1, 2, unit!)),
  rule(
    "(in )?(?:about |like |maybe )*(\\d{1,2})(?: to| or)? (\\d{1,2}) ({U})( from now| out| from today)?",
    (state, start, from, until, unit, end) =>
      Number(from) < Number(until) && (start || end) ? between(state, Number(from), Number(until), unit!) : "impossible",
  ),
];

export const relativeRules: Rule[] = [
  ...countedRules,
  rule(
    "(?:in |within )?(\\d{1,3}) (hour|minute) from now|in (?:about |around |like |maybe |roughly )*(\\d{1,3}) (hour|minute)",
    (state, count, unit, count2, unit2) => {
      const later = new Date(state.context.now.getTime() + Number(count ?? count2) * ((unit ?? unit2) === "hour" ? 60 : 1) * minuteMs);
      const { hour, minute } = partsIn(state.context.timeZone, later);
      const clock = { minutes: hour * 60 + minute };
      return `${putDay(state, dayIn(state.context.timeZone, later))} ${addTimeFound(state, { from: clock, until: clock, isApproximate: true })}`;
    },
  ),
  rule(
    `^ ?(?:(?:like |about |around |maybe |say |probably |oh )+${n} (week|month)|${n} (week|month)(?: or so| maybe| or thereabouts| probably| i guess)+) ?$`,
    (state, a, unit, b, unit2) => ahead(state, (a ?? b)!, (unit ?? unit2)!),
  ),
  rule(`(?:in )?(?:like |about |around |maybe )?${n} ({U}) (?:from now|out|from here)`, (state, count, unit) =>
    ahead(state, count!, unit!),
  ),
  rule("(?:the )?day after today", (state) => putDay(state, addDays(state.today, 1))),
  rule("(?:the )?(?:1 )?day after (?:tomorrow|tmrw)", (state) => putDay(state, addDays(state.today, 2))),
  rule("(?:the )?day before yesterday", (state) => putDay(state, addDays(state.today, -2))),
  rule("(?:later |sometime |any ?time )?today|now|right now|this very day|same day(?= appointment| visit)", (state) =>
    putDay(state, state.today),
  ),
  rule("tonight", (state) => `${putDay(state, state.today)} evening`),
  rule("this (morning|afternoon|evening)", (state, part) => `${putDay(state, state.today)} ${part}`),
  rule("(today|tomorrow) week(?! ?end)", (state, day) => putDay(state, addDays(state.today, day === "today" ? 7 : 8))),
  rule("tomorrow", (state) => putDay(state, addDays(state.today, 1))),
  rule("yesterday", (state) => putDay(state, addDays(state.today, -1))),
  rule(`${n} ({U}) ago`, (state, count, unit) => putDays(state, oneDay(shifted(state.today, -countOf(count!), unit!)))),
  rule("last (week|month)(?! (?:of|in|before) )", (state, unit) => {
    if (unit === "week") return putDays(state, rangeOf(addDays(mondayOf(state.today), -7), addDays(mondayOf(state.today), -1)));
    const start = monthStart(state.today, -1);
    return putDays(state, rangeOf(start, monthEnd(start)));
  }),
  rule("(?:within|in)(?: the)? next (\\d{1,2}) hour|within (\\d{1,2}) hour", (state, long, few) =>
    putDays(
      state,
      rangeOf(state.today, dayIn(state.context.timeZone, new Date(state.context.now.getTime() + Number(long ?? few) * hourMs))),
    ),
  ),

  rule(
    `(?:sometime |anytime |any day )?(?:within|over|during|in)(?: the)?(?: next| coming)? ${n} ({U})(?: or so)?(?<=(?:within|over|during|next|coming) .*)`,
    (state, count, unit) => putDays(state, rangeOf(state.today, shifted(state.today, countOf(count!), unit!))),
  ),
  rule(`(?:the )?(?:next|coming) ${n} ({U})`, (state, count, unit) =>
    putDays(state, rangeOf(state.today, shifted(state.today, countOf(count!), unit!))),
  ),
  rule("(?:sometime |anytime )?(?:within (?:the|a)(?: next| coming)?|(?:in|over) (?:the|a) (?:next|coming)) (week|month)", (state, unit) =>
    putDays(state, rangeOf(state.today, shifted(state.today, 1, unit!))),
  ),
  rule("within (?:1|a) (week|month)", (state, unit) => putDays(state, rangeOf(state.today, shifted(state.today, 1, unit!)))),
  rule(`in (?:like |about |around |maybe |roughly |another )?${n} ({U})(?: time)?`, (state, count, unit) => ahead(state, count!, unit!)),
];
