import { addDays, dayAt, mondayOf, monthEnd, weekdayFrom, weekdayOf, yearOf } from "../../calendar-days.ts";
import { addDaysFound, type ParseState, oneDay, rangeOf, type Rule, rule } from "../parse-state/parse-state.ts";
import { choice, notBefore } from "./choices.ts";

/** The nth such weekday of a month; the last for -1. */
export const nthWeekday = (y: number, month: number, weekday: number, n: number): string => {
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
  const days = [
    "thanksgiving(?: day)?",
    "christmas(?: day)?|xmas",
    "new year(?: day)?",
    "(?:the )?(?:4th of july|independence day)",
  ].flatMap((name) => [0, 1].map((years) => holidays[name]!(yearOf(state.today) + years)));
  const near = days.find((day) => day >= state.today && day <= addDays(state.today, nearDays));
  return near && addDaysFound(state, choice([oneDay(near)], { others: [near] }));
});

export const holidayRules = [
  nearHoliday,
  ...Object.entries(holidays).flatMap(([name, on]) => {
    const next = (today: string): string => [0, 1].map((years) => on(yearOf(today) + years)).find((one) => one >= today)!;
    return [
      rule(`(?:${name}) week`, (state) => {
        const monday = mondayOf(next(state.today));
        return addDaysFound(state, choice([notBefore(state.today, rangeOf(monday, addDays(monday, 6)))]));
      }),
      rule(`(?:${name}) weekend`, (state) => {
        const day = next(state.today);
        const sunday = weekdayFrom(day, 0);
        return addDaysFound(
          state,
          choice([rangeOf(weekdayOf(day) === 0 ? addDays(day, -1) : weekdayOf(day) < 4 ? addDays(sunday, -1) : day, sunday)]),
        );
      }),
      rule(`(?:${name})`, (state) => addDaysFound(state, choice([oneDay(next(state.today))], { others: [next(state.today)] }))),
    ];
  }),
];
