import { addDays, addMonths, dayAt, mondayOf, monthEnd, monthOf, monthStart, weekdayFrom, weekdayNames, yearOf } from "../calendar-days.ts";
import { addDaysFound, type DayChoice, type Days, type Draft, oneDay, rangeOf, rule, type Rule } from "./draft.ts";
import { months } from "../numbers.ts";

const monthNumber = (name: string): number => months.indexOf(name) + 1;

/** A day that passed this recently may be meant itself. */
const recentDays = 92;

const choice = (either: Days[], more: Omit<DayChoice, "either"> = {}): DayChoice => ({ either, ...more });

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

/** Said as a date, but the calendar has none: no other rule may read its parts. */
const noDay = "impossible";

const fullYear = (year: string | undefined): number | undefined =>
  year === undefined ? undefined : Number(year.replace(/ /g, "")) + (year.length === 2 ? 2000 : 0);

const found = (draft: Draft, days: DayChoice | undefined): string | undefined => (days ? addDaysFound(draft, days) : undefined);

function dated(draft: Draft, month: number, day: number, year?: number): string | undefined {
  if (year === undefined) return found(draft, yearless(draft.today, month, day)) ?? noDay;
  const exact = dayAt(year, month, day);
  return exact === undefined ? noDay : addDaysFound(draft, choice([oneDay(exact)], { others: [exact] }));
}

/** Month and day, or day and month where only that is a date; both where both are. */
function slashed(draft: Draft, a: number, b: number, year?: number): string | undefined {
  const read = (month: number, day: number): string[] => {
    if (year !== undefined) return [dayAt(year, month, day) ?? []].flat();
    const all = [0, 1, 2, 3, 4].flatMap((years) => dayAt(yearOf(draft.today) + years, month, day) ?? []);
    return all.filter((one) => one >= draft.today).slice(0, 1);
  };
  const both = [...new Set([...read(a, b), ...read(b, a)])];
  const near = both.filter((day) => addDays(day, recentDays) >= draft.today);
  const all = near.length > 0 ? near : both;
  return all.length === 0 ? noDay : addDaysFound(draft, choice(all.map(oneDay), { others: all }));
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
  rule("(\\d{4})-(\\d{1,2})-(\\d{1,2})(?:t(?=\\d))?", (draft, y, m, d) => dated(draft, Number(m), Number(d), Number(y))),
  rule("(\\d{1,2})/(\\d{1,2})(?:/(\\d{4}|\\d{2}))?", (draft, a, b, y) => slashed(draft, Number(a), Number(b), fullYear(y))),
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
  rule(`({M}) (?:the )?${nth}${clock}${year}`, (draft, m, d, y) => dated(draft, monthNumber(m!), Number(d), fullYear(y))),
  rule(`(?:the )?${nth} (?:day )?(?:of )?({M})${year}`, (draft, d, m, y) => dated(draft, monthNumber(m!), Number(d), fullYear(y))),
  rule(`(?:the )?${nth} (?:of|in) (?:the )?month`, (draft, d) => found(draft, dayOfMonth(draft.today, Number(d)))),
  rule(`(?:the )?${nth} (?:of|in) this month`, (draft, d) => found(draft, inMonth(draft.today, Number(d), 0))),
  rule(`(?:the )?${nth} (?:of|in) (?:the )?(?:next|following) month`, (draft, d) => found(draft, inMonth(draft.today, Number(d), 1))),
];

const inMonth = (today: string, day: number, ahead: number): DayChoice | undefined => {
  const start = monthStart(today, ahead);
  const exact = dayAt(yearOf(start), monthOf(start), day);
  return exact === undefined ? undefined : choice([oneDay(exact)], { others: [exact] });
};

/** The nth such weekday of a month; the last for -1. */
const nthWeekday = (y: number, month: number, weekday: number, n: number): string => {
  const start = dayAt(y, month, 1)!;
  return n > 0 ? addDays(weekdayFrom(start, weekday), (n - 1) * 7) : weekdayFrom(addDays(monthEnd(start), -6), weekday);
};

const [monday, thursday] = [1, 4];
const holidays: Record<string, (y: number) => string> = {
  "christmas eve": (y) => `${y}-12-24`,
  "christmas(?: day)?|xmas": (y) => `${y}-12-25`,
  "new year eve": (y) => `${y}-12-31`,
  "new year(?: day)?": (y) => `${y}-01-01`,
  "valentines?(?: day)?": (y) => `${y}-02-14`,
  epiphany: (y) => `${y}-01-06`,
  halloween: (y) => `${y}-10-31`,
  "(?:the )?(?:4th of july|independence day)": (y) => `${y}-07-04`,
  "veterans day": (y) => `${y}-11-11`,
  juneteenth: (y) => `${y}-06-19`,
  "martin luther king(?: jr)?(?: day)?|mlk day": (y) => nthWeekday(y, 1, monday, 3),
  "presidents day": (y) => nthWeekday(y, 2, monday, 3),
  "memorial day": (y) => nthWeekday(y, 5, monday, -1),
  "labor day": (y) => nthWeekday(y, 9, monday, 1),
  "columbus day|indigenous peoples day": (y) => nthWeekday(y, 10, monday, 2),
  "thanksgiving(?: day)?": (y) => nthWeekday(y, 11, thursday, 4),
  "black friday": (y) => addDays(nthWeekday(y, 11, thursday, 4), 1),
};

const newYear = (draft: Draft): string =>
  addDaysFound(draft, choice([rangeOf(`${yearOf(draft.today) + 1}-01-01`, `${yearOf(draft.today) + 1}-01-31`, true)]));

const newYearRules: Rule[] = [
  rule("1th week (?:of|in) (?:the )?(?:next |new )?year", () => "1th week of january"),
  rule("(?:sometime |early |any ?time )?in the new year", (draft) => newYear(draft)),
  rule("(?:the )?1th (?:day )?of (?:the |next )?(?:new )?year", () => "new year day"),
  rule("(?:the )?(?:beginning|start|1th part) of (?:the )?(?:(?:next|new) )?year|early (?:in )?(?:the )?(?:next|new) year", (draft) =>
    newYear(draft),
  ),
];

const holidayRules = Object.entries(holidays).flatMap(([name, on]) => {
  const next = (today: string): string => [0, 1].map((years) => on(yearOf(today) + years)).find((one) => one >= today)!;
  return [
    rule(`(?:${name}) week`, (draft) => {
      const monday = mondayOf(next(draft.today));
      return addDaysFound(draft, choice([notBefore(draft.today, rangeOf(monday, addDays(monday, 6)))]));
    }),
    rule(`(?:${name})`, (draft) => addDaysFound(draft, choice([oneDay(next(draft.today))], { others: [next(draft.today)] }))),
  ];
});

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

const notBefore = (today: string, { ranges, ...days }: Days): Days => ({
  ...days,
  ranges: ranges.map(({ from, until }) => ({ from: from < today && (until ?? from) >= today ? today : from, ...(until ? { until } : {}) })),
});

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

const monthRules: Rule[] = [
  rule(`(?:the )?last day (?:of|in) ${monthName}`, (draft, name) =>
    addDaysFound(draft, choice([oneDay(period(draft.today, name!)!.ranges[0]!.until!)])),
  ),
  rule(`(?:before|by) (?:the )?end of ${monthName}`, (draft, name) =>
    addDaysFound(draft, choice([rangeOf(draft.today, period(draft.today, name!)!.ranges[0]!.until!)])),
  ),
  rule("(?:before|by) (?:the )?end of (?:the |this )?year", (draft) =>
    addDaysFound(draft, choice([rangeOf(draft.today, `${yearOf(draft.today)}-12-31`)])),
  ),
  ...Object.entries(thirds).map(([part, cut]) =>
    rule(`(?:${part}) ${monthName}`, (draft, name) => {
      const whole = period(draft.today, name!);
      const start = whole!.ranges[0]!.from;
      const isOver = name === "month" && cut(start)[1] < draft.today;
      const [from, until] = cut(isOver ? monthStart(start, 1) : start);
      return addDaysFound(draft, choice([notBefore(draft.today, rangeOf(from, until, true))]));
    }),
  ),
  rule(`(?:the )?(\\d)th week (?:of|in) ${monthName}`, (draft, n, name) =>
    addDaysFound(draft, choice([notBefore(draft.today, comingWeek(draft.today, name!, Number(n)))])),
  ),
  rule(`(?:the )?last week (?:of|in) ${monthName}`, (draft, name) =>
    addDaysFound(draft, choice([notBefore(draft.today, weekOfMonth(period(draft.today, name!)!.ranges[0]!.from, -1))])),
  ),
  rule(`(?:the )?(\\dth|last) ({W}) (?:of|in) ${monthName}`, (draft, n, weekday, name) => {
    const start = period(draft.today, name!)!.ranges[0]!.from;
    const day = nthWeekday(yearOf(start), monthOf(start), weekdayNames.indexOf(weekday!), n === "last" ? -1 : Number.parseInt(n!, 10));
    return day.slice(0, 7) === start.slice(0, 7) ? addDaysFound(draft, choice([oneDay(day)])) : undefined;
  }),
  rule("(?:the )?(?:next|following) month", (draft) => addDaysFound(draft, choice([period(draft.today, "next month")!]))),
  rule("(?:later |sometime |rest of )?this month", (draft) =>
    addDaysFound(draft, choice([notBefore(draft.today, period(draft.today, "this month")!)])),
  ),
  rule("(?:sometime )?(?:in|this|next|of|during) ({M})(?! \\d)", (draft, name) => monthFound(draft, name!)),
  // "May" and "march" are words of their own too.
  rule("(?<=^|before |after |by |until |and |or |to )(may|march)(?=$| or| and| to)", (draft, name) => monthFound(draft, name!)),
  rule("(?!may|march)({M})(?! \\d)", (draft, name) => monthFound(draft, name!)),
  rule("(?:the )?end of (?:the |this )?year", (draft) =>
    addDaysFound(draft, choice([notBefore(draft.today, rangeOf(`${yearOf(draft.today)}-12-21`, `${yearOf(draft.today)}-12-31`, true))])),
  ),
  rule("next year", (draft) =>
    addDaysFound(draft, choice([rangeOf(`${yearOf(draft.today) + 1}-01-01`, `${yearOf(draft.today) + 1}-12-31`)])),
  ),
  rule("this year", (draft) => addDaysFound(draft, choice([rangeOf(draft.today, `${yearOf(draft.today)}-12-31`)]))),
];

/** Last month by its name: itself or in a year. */
function monthFound(draft: Draft, name: string): string {
  const next = period(draft.today, name)!;
  const past = addMonths(next.ranges[0]!.from, -12);
  const isRecent = monthEnd(past) < draft.today && addDays(monthEnd(past), recentDays) >= draft.today;
  return addDaysFound(draft, choice([...(isRecent ? [rangeOf(past, monthEnd(past))] : []), notBefore(draft.today, next)]));
}

/** A day of the month by its number; last, as other rules read numbers too. */
export const dayOfMonthRules: Rule[] = [
  rule(
    "(?:the |on )(\\d{1,2})th(?! (?:1|thing|available|week|appointment|opening|floor|time|slot|option|doctor|visit|in line|of|thought|choice|opinion|day|date|month))",
    (draft, d) => found(draft, dayOfMonth(draft.today, Number(d))),
  ),
  rule("(?:the |on the |day )(1[3-9]|2\\d|3[01])(?! ?(?::|am|pm|oclock|minute|{U}|hour))", (draft, d) =>
    found(draft, dayOfMonth(draft.today, Number(d))),
  ),
  rule(
    // "First" alone, or after a weekday, is a day; "I can come first" is none.
    "(?!1th(?! ?$)|(?<!^|{W} |starting |after |before |until |by )1th)(\\d{1,2})th(?! (?:1|thing|available|week|appointment|opening|floor|time|slot|option|doctor|visit|opinion|in line|of|thought|choice|week|day|date|month))",
    (draft, d) => found(draft, dayOfMonth(draft.today, Number(d))),
  ),
];

export const dateRules: Rule[] = [...calendarRules, ...newYearRules, ...holidayRules, ...monthRules];
