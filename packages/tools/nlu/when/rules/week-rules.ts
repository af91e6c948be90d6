import { addDays, mondayOf, weekdayFrom, weekdayOf } from "../../calendar.ts";
import { addDaysFound, type Days, daysFound, oneDay, putDays, rangeOf, type Rule, rule } from "../parse-state/parse-state.ts";
import { ofDay } from "./relative-rules.ts";

const [sunday, saturday] = [0, 6];

/** On a Sunday, a week may begin today or tomorrow. */
function weekStarts(today: string, ahead: number): string[] {
  const monday = mondayOf(today);
  const starts =
    weekdayOf(today) === sunday ? [addDays(today, 1 + (ahead - 1) * 7), addDays(today, 1 + ahead * 7)] : [addDays(monday, ahead * 7)];
  return ahead === 0 ? [monday] : starts;
}
const weekFrom = (start: string): Days => rangeOf(start, addDays(start, 6));

const restOfWeek = (today: string): Days => rangeOf(today, weekdayOf(today) === sunday ? addDays(today, 6) : addDays(mondayOf(today), 6));

const parts: Record<string, [first: number, last: number]> = {
  "early(?: in)?|(?:the )?(?:beginning|start|1th part) of|at the start of": [0, 1],
  "(?:the )?(?:mid|middle|middle part)(?: of| in)?": [1, 3],
  "(?:the )?(?:late(?:r)?(?: in)?|(?:tail |very )?end(?: of)?)|towards? the (?:tail |very )?end of": [3, 4],
};

/** The working days of this week's part, or the next week's if they are over. */
function partOfThisWeek(today: string, [first, last]: [number, number]): Days {
  const monday = mondayOf(today);
  const until = addDays(monday, last);
  if (until < today) return rangeOf(addDays(monday, 7 + first), addDays(monday, 7 + last), true);
  return rangeOf(addDays(monday, first) < today ? today : addDays(monday, first), until, true);
}

const weekend = (start: string): Days => rangeOf(start, addDays(start, 1));

/** Saturday and Sunday, or what is left of them. */
function thisWeekend(today: string): Days {
  return weekdayOf(today) === sunday ? oneDay(today) : weekend(weekdayFrom(today, saturday));
}

function nextWeekend(today: string): Days[] {
  const coming = weekdayFrom(today, saturday);
  if (weekdayOf(today) === sunday) return [weekend(coming)];
  return weekdayOf(today) === saturday ? [weekend(addDays(today, 7))] : [weekend(coming), weekend(addDays(coming, 7))];
}

export const weekRules: Rule[] = [
  rule("(?:the )?weekend after (this weekend|next)(?: 1)?", (state, base) =>
    putDays(
      state,
      ...nextWeekend(state.today)
        .map(({ ranges: [{ from } = { from: "" }] }) => weekend(base === "next" ? addDays(from, 7) : from))
        .slice(base === "next" ? 0 : -1),
    ),
  ),
  rule("(?:the )?weekend (?:right )?(before|after|following) ({D})", (state, side, token) =>
    ofDay(state, token!, (one) => weekend(weekdayFrom(addDays(one, side === "before" ? -7 : 1), saturday))),
  ),
  rule("(?<!\\d )(?:the )?week (before|after|following) ({D})", (state, side, token) => {
    const days = daysFound(state, token!).either.map(({ ranges: [range, ...others] }) =>
      range?.until && others.length === 0 && range.until <= addDays(range.from, 6) ? { from: range.from, until: range.until } : undefined,
    );
    if (!days.every((one) => one !== undefined)) return undefined;
    return putDays(
      state,
      ...days.map(({ from, until }) =>
        side === "before" ? rangeOf(addDays(from, -7), addDays(from, -1), true) : rangeOf(addDays(until, 1), addDays(until, 7), true),
      ),
    );
  }),
  rule("({D}) or (?:any ?day|any ?time|another day|some ?time) (?:of |during |in )?(?:that|the same) week", (state, token) =>
    ofDay(state, token!, (one) => weekFrom(mondayOf(one))),
  ),
  // "Not this coming week, the one after": early in a week the coming one may be this.
  rule("week after coming", (state) => {
    const isEarlyInWeek = [1, 2, 3].includes(weekdayOf(state.today));
    return putDays(
      state,
      ...[...(isEarlyInWeek ? weekStarts(state.today, 1) : []), ...weekStarts(state.today, 2).slice(0, 1)].map(weekFrom),
    );
  }),
  rule("(?:the )?week after next|in the week after next", (state) => putDays(state, ...weekStarts(state.today, 2).map(weekFrom))),
  rule("(?:the )?week (?:of|starting|beginning)(?: on)? (?:the )?(?:monday )?({D})", (state, token) =>
    ofDay(state, token!, (one) => weekFrom(mondayOf(one))),
  ),
  ...Object.entries(parts).flatMap(([part, cut]): Rule[] => [
    rule(`(?:${part}) (?:the )?(?:next|following) week`, (state) =>
      putDays(state, ...weekStarts(state.today, 1).map((start) => rangeOf(addDays(start, cut[0]), addDays(start, cut[1]), true))),
    ),
    rule(`(?:${part}) (?:(?:this|the) )?week`, (state) => putDays(state, partOfThisWeek(state.today, cut))),
  ]),
  rule("(?:sometime |anytime |any day |any time |any |later )?(?:in |during )?(?:the )?(?:next|following|coming) week(?! ?end)", (state) =>
    putDays(state, ...weekStarts(state.today, 1).map(weekFrom)),
  ),
  rule("(?:sometime |anytime |any day |any time |rest of )?this week", (state) => putDays(state, restOfWeek(state.today))),
  rule("each weekend", (state) => addDaysFound(state, { either: [thisWeekend(state.today)], weekdays: [saturday, sunday] })),
  rule("(?:the |over the |on the |this |this coming )?weekend(?<!next weekend)|this coming weekend", (state) =>
    putDays(state, thisWeekend(state.today)),
  ),
  rule("(?:the )?next weekend", (state) => putDays(state, ...nextWeekend(state.today))),
];
