import { addDays, dayAt, monthOf, monthStart, weekdayNames, weekdayOf, yearOf } from "../../calendar.ts";
import { addDaysFound, type DayChoice, type ParseState, oneDay, type Rule, rule } from "../parse-state/parse-state.ts";
import { holidayRules, newYearRules, nthWeekday } from "./holiday-rules.ts";
import { choice, monthNumber, noDay, recentDays } from "./choices.ts";
import { monthRules } from "./month-rules.ts";

/** Without a year: the next such day, and also the last one if it passed only recently. */
function yearless(today: string, month: number, day: number): DayChoice | undefined {
  const all = [-1, 0, 1, 2, 3, 4].flatMap((years) => dayAt(yearOf(today) + years, month, day) ?? []);
  const next = all.find((one) => one >= today);
  if (next === undefined) return undefined;
  const last = all.findLast((one) => one < today);
  const isRecent = last !== undefined && addDays(last, recentDays) >= today;
  return choice([...(isRecent ? [oneDay(last)] : []), oneDay(next)], { others: all });
}

/** Two months and on: the fifth of the month after the next. */
const monthsAhead = 14;
function dayOfMonth(today: string, day: number): DayChoice | undefined {
  const all = [...Array(monthsAhead).keys()].flatMap((months) => {
    const start = monthStart(today, months);
    return dayAt(yearOf(start), monthOf(start), day) ?? [];
  });
  const ahead = all.filter((one) => one >= today);
  return ahead[0] === undefined ? undefined : choice([oneDay(ahead[0])], { others: ahead.slice(0, 2) });
}

const fullYear = (year: string | undefined): number | undefined =>
  year === undefined ? undefined : Number(year.replace(/ /g, "")) + (year.length === 2 ? 2000 : 0);

const found = (state: ParseState, days: DayChoice | undefined): string | undefined => (days ? addDaysFound(state, days) : undefined);

function dated(state: ParseState, month: number, day: number, year?: number): string | undefined {
  if (year === undefined) return found(state, yearless(state.today, month, day)) ?? noDay;
  const exact = dayAt(year, month, day);
  return exact === undefined ? noDay : addDaysFound(state, choice([oneDay(exact)], { others: [exact] }));
}

/** Month and day, or day and month where only that is a date; both where both are. */
function slashed(state: ParseState, a: number, b: number, year?: number): string | undefined {
  const read = (month: number, day: number): string[] => {
    if (year !== undefined) return [dayAt(year, month, day) ?? []].flat();
    const all = [0, 1, 2, 3, 4].flatMap((years) => dayAt(yearOf(state.today) + years, month, day) ?? []);
    return all.filter((one) => one >= state.today).slice(0, 1);
  };
  const both = [...new Set([...read(a, b), ...read(b, a)])];
  const near = both.filter((day) => addDays(day, recentDays) >= state.today);
  const all = near.length > 0 ? near : both;
  return all.length === 0 ? noDay : addDaysFound(state, choice(all.map(oneDay), { others: all }));
}

const maxAhead = 120;
/** "Twelve eight": a date only where it is near. */
function spokenDate(state: ParseState, month: number, day: number): string {
  const next = [0, 1].flatMap((years) => dayAt(yearOf(state.today) + years, month, day) ?? []).find((one) => one >= state.today);
  return next !== undefined && next <= addDays(state.today, maxAhead)
    ? addDaysFound(state, choice([oneDay(next)], { others: [next] }))
    : noDay;
}

const nth = "(\\d{1,2})(?:th|st|nd|rd)?";
const year = "(?:,? (?:of (?:the )?)?((?:19|20)\\d{2}|20 \\d{2}(?! ?(?:am|pm))))?";
const clock = "(?! ?(?::|am|pm|oclock|\\d+ (?:am|pm)))";

const calendarRules: Rule[] = [
  rule(
    `({M}) (?:the )?${nth} (?:the )?(\\d{1,2})th (or|and) (?:the )?(\\d{1,2})th`,
    (_, m, a, b, link, c) => `${m} ${a} or ${m} ${b} ${link} ${m} ${c}`,
  ),
  rule(
    "(?:the )?(\\d{1,2})th (?:the )?(\\d{1,2})th (or|and) (?:the )?(\\d{1,2})th(?! of)",
    (_, a, b, link, c) => `the ${a}th or the ${b}th ${link} the ${c}th`,
  ),
  rule("(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:t(?=\\d))?", (state, y, m, d) => dated(state, Number(m), Number(d), Number(y))),
  rule("on the day (\\d{1,2})/(\\d{1,2})", (state, m, d) => spokenDate(state, Number(m), Number(d))),
  rule("(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?", (state, a, b, y) => slashed(state, Number(a), Number(b), fullYear(y))),
  rule(
    `(from |between )?({M}) (?:the )?${nth} (?:to|through|until|and|-) (?:the )?${nth}(?! {M}|:)${clock}`,
    (_, start, m, a, b) => `${start === "between " ? "between" : "from"} ${m} ${a} ${start === "between " ? "and" : "to"} ${m} ${b} `,
  ),
  rule(`({M}) ${nth}-${nth}`, (_, m, a, b) => `from ${m} ${a} to ${m} ${b}`),
  rule(
    `(from |between )(?:the )?${nth} (to|through|until|and) (?:the )?${nth} (?:of )?({M})`,
    (_, start, a, link, b, m) => `${start}${m} ${a} ${link} ${m} ${b}`,
  ),
  rule(`(?:the )?${nth} (or|and|to|through) (?:the )?${nth} of ({M})`, (_, a, link, b, m) => `${m} ${a} ${link} ${m} ${b}`),
  rule(`({M}) (?:the )?${nth} (or) (?:the )?(\\d{1,2})(?:th|st|nd|rd)(?! of)`, (_, m, a, link, b) => `${m} ${a} ${link} ${m} ${b}`),
  rule(`({M}) (?:the )?${nth}${clock}${year}`, (state, m, d, y) => dated(state, monthNumber(m!), Number(d), fullYear(y))),
  rule(`(?:the )?${nth} (?:day )?(?:of )?({M})${year}`, (state, d, m, y) => dated(state, monthNumber(m!), Number(d), fullYear(y))),
  rule(`(?:the )?${nth} (?:of|in) (?:the )?month`, (state, d) => found(state, dayOfMonth(state.today, Number(d)))),
  rule(`(?:the )?${nth} (?:of|in) this month`, (state, d) => found(state, inMonth(state.today, Number(d), 0))),
  rule(`(?:the )?${nth} (?:of|in) (?:the )?(?:next|following) month`, (state, d) => found(state, inMonth(state.today, Number(d), 1))),
];

const inMonth = (today: string, day: number, ahead: number): DayChoice | undefined => {
  const start = monthStart(today, ahead);
  const exact = dayAt(yearOf(start), monthOf(start), day);
  return exact === undefined ? undefined : choice([oneDay(exact)], { others: [exact] });
};

/** "The third Wednesday", where the third is another day. */
function nthOfMonth(state: ParseState, n: number, name: string): string | undefined {
  const weekday = weekdayNames.indexOf(name);
  const third = dayOfMonth(state.today, n)?.either[0]?.ranges[0]?.from;
  if (third !== undefined && weekdayOf(third) === weekday) return undefined;
  const day = [0, 1]
    .map((months) => monthStart(state.today, months))
    .map((start) => nthWeekday(yearOf(start), monthOf(start), weekday, n))
    .find((one) => one >= state.today)!;
  return addDaysFound(state, choice([oneDay(day)], { others: [day] }));
}

const notOfDay =
  "(?! (?:1(?![ :]\\d)|thing|week|appointment|opening|floor|time|slot|option|doctor|visit|in line|of|thought|choice|opinion|day|date|month)\\b)";

/** A day of the month by its number; last, as other rules read numbers too. */
export const dayOfMonthRules: Rule[] = [
  rule("(?<!{W} (?:the |el )*)(?:the )?([2-4])th ({W})(?! (?:of|in|the \\d|\\d))", (state, n, name) => nthOfMonth(state, Number(n), name!)),
  rule(`(?:the |on )(?![1-3]th available|1th {W} (?:after|before))(\\d{1,2})th${notOfDay}`, (state, d) =>
    found(state, dayOfMonth(state.today, Number(d))),
  ),
  rule("(?:the |on the |day )(1[3-9]|2\\d|3[01])(?! ?(?::|am|pm|oclock|minute|{U}|hour|[a-z]+ths?(?: |$)))", (state, d) =>
    found(state, dayOfMonth(state.today, Number(d))),
  ),
  rule(
    // "First" alone, or after a weekday, is a day; "I can come first" is none.
    `(?![1-3]th available|1th(?! ?$)|(?<!^|{W} |starting |after |before |until |by )1th)(\\d{1,2})th${notOfDay}`,
    (state, d) => found(state, dayOfMonth(state.today, Number(d))),
  ),
];

export const dateRules: Rule[] = [...calendarRules, ...newYearRules, ...holidayRules, ...monthRules];
