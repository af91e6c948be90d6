import { dayIn } from "@vitaline/core";
import { addDays, addMonths, mondayOf, monthEnd, monthStart } from "../../calendar-days.ts";
import {
  addDaysFound,
  addTimeFound,
  daysFound,
  type Draft,
  oneDay,
  putDay,
  putDays,
  rangeOf,
  type Rule,
  rule,
  singleDay,
} from "../draft/draft.ts";
import { partsIn } from "../../local-time.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const shifted = (from: string, count: number, unit: string): string => {
  if (unit === "month" || unit === "year") return addMonths(from, count * (unit === "year" ? 12 : 1));
  return addDays(from, count * (unit === "week" ? 7 : 1));
};

const fewOf: Record<string, number> = { few: 3 };

export const countOf = (count: string): number => fewOf[count] ?? Number(count);

/** In weeks and longer the exact day is seldom meant. */
const ahead = (draft: Draft, count: string, unit: string): string => {
  const at = shifted(draft.today, countOf(count), unit);
  if (unit === "day" && count !== "few") return putDay(draft, at);
  const others = unit === "week" ? [...Array(7).keys()].map((days) => addDays(mondayOf(at), days)) : undefined;
  return addDaysFound(draft, { either: [{ ...oneDay(at), isApproximate: true }], ...(others ? { others } : {}) });
};

export const moved = (draft: Draft, token: string, count: number, unit: string): string | undefined => {
  const days = daysFound(draft, token).either.map((one) => singleDay(one));
  return days.every((one) => one !== undefined) ? putDays(draft, ...days.map((one) => oneDay(shifted(one, count, unit)))) : undefined;
};

export const n = "(\\d{1,2}|few)";

const between = (draft: Draft, from: number, until: number, unit: string): string =>
  putDays(draft, rangeOf(from === 0 ? draft.today : shifted(draft.today, from, unit), shifted(draft.today, until, unit), from > 0));

/** "In a week or two", "three to four weeks out". */
const countedRules: Rule[] = [
  rule("(?:(?:with)?in|over|during) (?:the )?(?:next |coming )(?:1 )?({U}) or 2", (draft, unit) => between(draft, 0, 2, unit!)),
  rule("(?:with)?in (?:the )?(?:next |coming )(\\d{1,2})(?: to| or)? (\\d{1,2}) ({U})", (draft, _, until, unit) =>
    between(draft, 0, Number(until), unit!),
  ),
  rule("in (?:about |like |maybe )*1 ({U}) or (?:2|so)(?! {U})", (draft, unit) => between(draft, 1, 2, unit!)),
  rule(
    "(in )?(?:about |like |maybe )*(\\d{1,2})(?: to| or)? (\\d{1,2}) ({U})( from now| out| from today)?",
    (draft, start, from, until, unit, end) =>
      Number(from) < Number(until) && (start || end) ? between(draft, Number(from), Number(until), unit!) : "impossible",
  ),
];

export const relativeRules: Rule[] = [
  ...countedRules,
  rule(
    "(?:in |within )?(\\d{1,3}) (hour|minute) from now|in (?:about |around |like |maybe |roughly )*(\\d{1,3}) (hour|minute)",
    (draft, count, unit, count2, unit2) => {
      const later = new Date(draft.context.now.getTime() + Number(count ?? count2) * ((unit ?? unit2) === "hour" ? 60 : 1) * minuteMs);
      const { hour, minute } = partsIn(draft.context.timeZone, later);
      const clock = { minutes: hour * 60 + minute };
      return `${putDay(draft, dayIn(draft.context.timeZone, later))} ${addTimeFound(draft, { from: clock, until: clock, isApproximate: true })}`;
    },
  ),
  rule(`(?:in )?(?:like |about |around |maybe )?${n} ({U}) (?:from now|out|from here)`, (draft, count, unit) =>
    ahead(draft, count!, unit!),
  ),
  rule("(?:the )?day after today", (draft) => putDay(draft, addDays(draft.today, 1))),
  rule("(?:the )?(?:1 )?day after (?:tomorrow|tmrw)", (draft) => putDay(draft, addDays(draft.today, 2))),
  rule("(?:the )?day before yesterday", (draft) => putDay(draft, addDays(draft.today, -2))),
  rule("(?:later |sometime |any ?time )?today|now|right now|this very day|same day(?= appointment| visit)", (draft) =>
    putDay(draft, draft.today),
  ),
  rule("tonight", (draft) => `${putDay(draft, draft.today)} evening`),
  rule("this (morning|afternoon|evening)", (draft, part) => `${putDay(draft, draft.today)} ${part}`),
  rule("(today|tomorrow) week(?! ?end)", (draft, day) => putDay(draft, addDays(draft.today, day === "today" ? 7 : 8))),
  rule("tomorrow", (draft) => putDay(draft, addDays(draft.today, 1))),
  rule("yesterday", (draft) => putDay(draft, addDays(draft.today, -1))),
  rule(`${n} ({U}) ago`, (draft, count, unit) => putDays(draft, oneDay(shifted(draft.today, -countOf(count!), unit!)))),
  rule("last (week|month)(?! (?:of|in|before) )", (draft, unit) => {
    if (unit === "week") return putDays(draft, rangeOf(addDays(mondayOf(draft.today), -7), addDays(mondayOf(draft.today), -1)));
    const start = monthStart(draft.today, -1);
    return putDays(draft, rangeOf(start, monthEnd(start)));
  }),
  rule("(?:within|in)(?: the)? next (\\d{1,2}) hour|within (\\d{1,2}) hour", (draft, long, few) =>
    putDays(
      draft,
      rangeOf(draft.today, dayIn(draft.context.timeZone, new Date(draft.context.now.getTime() + Number(long ?? few) * hourMs))),
    ),
  ),

  rule(
    `(?:sometime |anytime |any day )?(?:within|over|during|in)(?: the)?(?: next| coming)? ${n} ({U})(?: or so)?(?<=(?:within|over|during|next|coming) .*)`,
    (draft, count, unit) => putDays(draft, rangeOf(draft.today, shifted(draft.today, countOf(count!), unit!))),
  ),
  rule(`(?:the )?(?:next|coming) ${n} ({U})`, (draft, count, unit) =>
    putDays(draft, rangeOf(draft.today, shifted(draft.today, countOf(count!), unit!))),
  ),
  rule("(?:sometime |anytime )?(?:within (?:the|a)(?: next| coming)?|(?:in|over) (?:the|a) (?:next|coming)) (week|month)", (draft, unit) =>
    putDays(draft, rangeOf(draft.today, shifted(draft.today, 1, unit!))),
  ),
  rule("within (?:1|a) (week|month)", (draft, unit) => putDays(draft, rangeOf(draft.today, shifted(draft.today, 1, unit!)))),
  rule(`in (?:like |about |around |maybe |roughly |another )?${n} ({U})(?: time)?`, (draft, count, unit) => ahead(draft, count!, unit!)),
];
