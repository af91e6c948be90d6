import { addDays, dayAt, mondayOf, monthEnd, monthOf, weekdayFrom, weekdayOf, yearOf } from "../../calendar.ts";
import { addDaysFound, type Days, type ParseState, oneDay, rangeOf, type Rule, rule } from "../parse-state/parse-state.ts";
import { choice, notBefore } from "./choices.ts";

/** The nth such weekday of a month; the last for -1. */
export const nthWeekday = (y: number, month: number, weekday: number, n: number): string => {
  const start = dayAt(y, month, 1)!;
  return n > 0 ? addDays(weekdayFrom(start, weekday), (n - 1) * 7) : weekdayFrom(addDays(monthEnd(start), -6), weekday);
};

const [sunday, monday, thursday, friday] = [0, 1, 4, 5];

/** The Gregorian computus. */
function easter(y: number): string {
  const century = Math.floor(y / 100);
  const epact = (19 * (y % 19) + century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 15) % 30;
  const moon = epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - (y % 19)) / 11));
  return weekdayFrom(addDays(`${y}-03-22`, moon), sunday);
}
const fromEaster = (days: number) => (y: number) => addDays(easter(y), days);

/** Several where the name is of different days in different countries. */
const holidays: Record<string, (y: number) => string | string[]> = {
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
  "cyber monday": (y) => addDays(nthWeekday(y, 11, thursday, 4), 4),
  "(?:st|saint) (?:patricks?|pattys?|paddys?)(?: day)?": (y) => `${y}-03-17`,
  "5 of mayo": (y) => `${y}-05-05`,
  "day of the dead": (y) => `${y}-11-02`,
  "mothers? day": (y) => nthWeekday(y, 5, sunday, 2),
  "day of the mothers": (y) => [nthWeekday(y, 5, sunday, 2), `${y}-05-10`],
  "day of work": (y) => [`${y}-05-01`, nthWeekday(y, 9, monday, 1)],
  "fathers? day": (y) => nthWeekday(y, 6, sunday, 3),
  "ash wednesday": fromEaster(-46),
  "(?:holy|maundy) thursday": fromEaster(-3),
  "good friday": fromEaster(-2),
  "easter(?: sunday| day)?(?! (?:monday|break|vacation|bunny|egg))": fromEaster(0),
  "easter monday": fromEaster(1),
};

const maxApart = 60;
/** The next, and those of the same name that are near it. */
function nextOf(today: string, on: (y: number) => string | string[]): string[] {
  const ahead = [0, 1].flatMap((years) => on(yearOf(today) + years)).filter((day) => day >= today);
  const [first = today, ...others] = [...new Set(ahead)].toSorted();
  return [first, ...others.filter((day) => day <= addDays(first, maxApart))];
}

/** The calendar week beside a holiday. After a Monday it may be the rest of that week, before a Friday its beginning. */
function weeksBeside(side: string, day: string): Days[] {
  const start = mondayOf(day);
  const week = (from: string) => rangeOf(from, addDays(from, 6));
  const weekday = weekdayOf(day);
  if (side === "before") {
    if (weekday === sunday) return [rangeOf(start, addDays(day, -1))];
    return [week(addDays(start, -7)), ...(weekday === friday ? [rangeOf(start, addDays(day, -1))] : [])];
  }
  return [...(weekday === monday ? [rangeOf(addDays(day, 1), addDays(day, 6))] : []), week(addDays(start, 7))];
}

const newYear = (state: ParseState): string =>
  addDaysFound(state, choice([rangeOf(`${yearOf(state.today) + 1}-01-01`, `${yearOf(state.today) + 1}-01-31`, true)]));

export const newYearRules: Rule[] = [
  rule("1th week (?:of|in) (?:the )?(?:next |new )?year", () => "1th week of january"),
  rule("(?:sometime |early |any ?time )?in the new year", (state) => newYear(state)),
  rule("(?:the )?1th (?:day )?of (?:the |next )?(?:new )?year", () => "new year day"),
  rule("(?:the )?(?:beginning|start|1th part) of (?:the )?(?:(?:next|new) )?year|early (?:in )?(?:the )?(?:next|new) year", (state) =>
    newYear(state),
  ),
];

const nearDays = 10;
/** "The holiday", without its name: one in the next days. */
const nearHoliday = rule("(?:the|this|that) holiday(?! (?:season|party|weekend))", (state) => {
  const days = ["thanksgiving", "christmas", "new year", "independence day"].flatMap((name) => nextOf(state.today, holidayNamed(name)));
  const near = days.find((day) => day <= addDays(state.today, nearDays));
  return near && addDaysFound(state, choice([oneDay(near)], { others: [near] }));
});

const anyHoliday = Object.keys(holidays).join("|");
const holidayNamed = (said: string) => Object.entries(holidays).find(([name]) => new RegExp(`^(?:${name})$`).test(said))![1];

/** The week that ends with Easter. */
const holyWeek = rule("holy week", (state) => {
  const days = nextOf(state.today, easter).map((day) => notBefore(state.today, rangeOf(addDays(day, -6), day)));
  return addDaysFound(state, choice(days));
});

export const holidayRules = [
  nearHoliday,
  holyWeek,
  // In December, what is left of them.
  rule("(?:after|past) (?:all )?(?:of )?the holidays", (state) =>
    monthOf(state.today) === 12 ? addDaysFound(state, choice([{ ranges: [{ from: `${yearOf(state.today) + 1}-01-02` }] }])) : undefined,
  ),
  // Both are closed.
  rule(`(?:the )?(?:week )?(?:in )?between (?:the )?(${anyHoliday}) and (?:the )?(${anyHoliday})`, (state, first, last) => {
    const [end = ""] = nextOf(state.today, holidayNamed(last!));
    const start = [-1, 0].flatMap((years) => holidayNamed(first!)(yearOf(end) + years)).findLast((day) => day < end)!;
    return addDaysFound(state, choice([notBefore(state.today, rangeOf(addDays(start, 1), addDays(end, -1)))]));
  }),
  rule(`(?<!\\d )(?:the )?week (?:right )?(before|after|following) (?:the )?(${anyHoliday})`, (state, side, name) =>
    found(state, name!, (day) => weeksBeside(side!, day)),
  ),
  rule(`(?:the )?week of (?:the )?(${anyHoliday})|(${anyHoliday}) week`, (state, a, b) =>
    found(state, (a ?? b)!, (day) => [rangeOf(mondayOf(day), addDays(mondayOf(day), 6))]),
  ),
  rule(`(${anyHoliday}) weekend`, (state, name) => found(state, name!, (day) => [weekendOf(day)])),
  rule(`(${anyHoliday})`, (state, name) => {
    const days = nextOf(state.today, holidayNamed(name!));
    return addDaysFound(state, choice(days.map(oneDay), { others: days }));
  }),
];

const found = (state: ParseState, name: string, read: (day: string) => Days[]): string =>
  addDaysFound(
    state,
    choice(nextOf(state.today, holidayNamed(name)).flatMap((day) => read(day).map((days) => notBefore(state.today, days)))),
  );

function weekendOf(day: string): Days {
  const end = weekdayFrom(day, sunday);
  if (weekdayOf(day) === monday) return rangeOf(addDays(day, -2), day);
  return rangeOf(weekdayOf(day) === sunday ? addDays(day, -1) : weekdayOf(day) < thursday ? addDays(end, -1) : day, end);
}
