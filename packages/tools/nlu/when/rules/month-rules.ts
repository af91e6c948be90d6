import { addDays, addMonths, dayAt, monthEnd, monthOf, monthStart, weekdayNames, yearOf } from "../../calendar.ts";
import { addDaysFound, type Days, type ParseState, oneDay, rangeOf, type Rule, rule } from "../parse-state/parse-state.ts";
import { nthWeekday } from "./holiday-rules.ts";
import { choice, monthNumber, notBefore, recentDays } from "./choices.ts";

/** `ahead` months or weeks from now, or the next month of that name. */
function period(today: string, name: string): Days | undefined {
  const month = monthNumber(name.replace(/^(?:in|this|next) /, ""));
  if (month > 0) {
    const y = month < monthOf(today) ? yearOf(today) + 1 : yearOf(today);
    const start = dayAt(y, month, 1)!;
    return rangeOf(start, monthEnd(start));
  }
  const start = monthStart(today, name === "next month" ? 1 : 0);
  return rangeOf(start, monthEnd(start));
}

const thirds: Record<string, (start: string) => [from: string, until: string]> = {
  "(?:the )?1th half of": (start) => [start, addDays(start, 14)],
  "(?:the )?(?:2th|last|latter|back) half of": (start) => [addDays(start, 15), monthEnd(start)],
  "mid to late": (start) => [addDays(start, 10), monthEnd(start)],
  "early to mid": (start) => [start, addDays(start, 19)],
  "early(?: in)?": (start) => [start, addDays(start, 9)],
  "(?:the )?(?:beginning|start)(?: of)?": (start) => [start, addDays(start, 6)],
  "(?:the )?(?:mid|middle)(?: of| in)?": (start) => [addDays(start, 10), addDays(start, 19)],
  "(?:the )?late(?:r)?(?: in)?": (start) => [addDays(start, 20), monthEnd(start)],
  "(?:the )?end(?: of)?": (start) => [addDays(monthEnd(start), -6), monthEnd(start)],
};

const weekOfMonth = (start: string, n: number): Days =>
  n > 0
    ? rangeOf(addDays(start, (n - 1) * 7), addDays(start, n * 7 - 1), true)
    : rangeOf(addDays(monthEnd(start), -6), monthEnd(start), true);

/** "The first week of the month" is the next month's where it is over. */
function comingWeek(today: string, name: string, n: number): Days {
  const start = period(today, name)!.ranges[0]!.from;
  const week = weekOfMonth(start, n);
  return name === "month" && week.ranges[0]!.until! < today ? weekOfMonth(monthStart(start, 1), n) : week;
}

const monthName = "(?:the )?(this month|next month|month|{M})(?! \\d)";

export const monthRules: Rule[] = [
  rule(`(?:the )?last day (?:of|in) ${monthName}`, (state, name) =>
    addDaysFound(state, choice([oneDay(period(state.today, name!)!.ranges[0]!.until!)])),
  ),
  rule(`(?:before|by) (?:the )?end of ${monthName}`, (state, name) =>
    addDaysFound(state, choice([rangeOf(state.today, period(state.today, name!)!.ranges[0]!.until!)])),
  ),
  rule("(?:before|by) (?:the )?end of (?:the |this )?year", (state) =>
    addDaysFound(state, choice([rangeOf(state.today, `${yearOf(state.today)}-12-31`)])),
  ),
  ...Object.entries(thirds).map(([part, cut]) =>
    rule(`(?:${part}) ${monthName}`, (state, name) => {
      const whole = period(state.today, name!);
      const start = whole!.ranges[0]!.from;
      const isOver = name === "month" && cut(start)[1] < state.today;
      const [from, until] = cut(isOver ? monthStart(start, 1) : start);
      return addDaysFound(state, choice([notBefore(state.today, rangeOf(from, until, true))]));
    }),
  ),
  rule(
    `(?:the )?([1-4])th (or|and) (?:the )?([1-4])th week (?:of|in) ${monthName}`,
    (_, a, link, b, name) => `${a}th week of ${name} ${link} ${b}th week of ${name}`,
  ),
  rule(`(?:the )?(\\d)th week (?:of|in) ${monthName}`, (state, n, name) =>
    addDaysFound(state, choice([notBefore(state.today, comingWeek(state.today, name!, Number(n)))])),
  ),
  rule(`(?:the )?last week (?:of|in) ${monthName}`, (state, name) =>
    addDaysFound(state, choice([notBefore(state.today, weekOfMonth(period(state.today, name!)!.ranges[0]!.from, -1))])),
  ),
  rule(`(?:the )?(\\dth|last) ({W}) (?:of|in) ${monthName}`, (state, n, weekday, name) => {
    const on = (start: string) =>
      nthWeekday(yearOf(start), monthOf(start), weekdayNames.indexOf(weekday!), n === "last" ? -1 : Number.parseInt(n!, 10));
    const coming = period(state.today, name!)!.ranges[0]!.from;
    const start = name === "month" && on(coming) < state.today ? monthStart(coming, 1) : coming;
    const day = on(start);
    return day.slice(0, 7) === start.slice(0, 7) ? addDaysFound(state, choice([oneDay(day)])) : undefined;
  }),
  rule("(?:the )?month after next", (state) => {
    const start = monthStart(state.today, 2);
    return addDaysFound(state, choice([rangeOf(start, monthEnd(start))]));
  }),
  rule("(?:the )?(?:next|following) month", (state) => addDaysFound(state, choice([period(state.today, "next month")!]))),
  rule("(?:later |sometime |rest of )?this month", (state) =>
    addDaysFound(state, choice([notBefore(state.today, period(state.today, "this month")!)])),
  ),
  rule("(?:sometime )?(?:in|this|next|of|during) ({M})(?! \\d)", (state, name) => monthFound(state, name!)),
  // "May" and "march" are words of their own too.
  rule("(?<=^|before |after |by |until |and |or |to |around |about |early |late )(may|march)(?=$| or| and| to)", (state, name) =>
    monthFound(state, name!),
  ),
  rule("(?!may|march)({M})(?! \\d)", (state, name) => monthFound(state, name!)),
  rule("(?:the )?end of (?:the |this )?year", (state) =>
    addDaysFound(state, choice([notBefore(state.today, rangeOf(`${yearOf(state.today)}-12-21`, `${yearOf(state.today)}-12-31`, true))])),
  ),
  rule("next year", (state) =>
    addDaysFound(state, choice([rangeOf(`${yearOf(state.today) + 1}-01-01`, `${yearOf(state.today) + 1}-12-31`)])),
  ),
  rule("this year", (state) => addDaysFound(state, choice([rangeOf(state.today, `${yearOf(state.today)}-12-31`)]))),
];

/** Last month by its name: itself or in a year. */
function monthFound(state: ParseState, name: string): string {
  const next = period(state.today, name)!;
  const past = addMonths(next.ranges[0]!.from, -12);
  const isRecent = monthEnd(past) < state.today && addDays(monthEnd(past), recentDays) >= state.today;
  return addDaysFound(state, choice([...(isRecent ? [rangeOf(past, monthEnd(past))] : []), notBefore(state.today, next)]));
}
