import { addDays, mondayOf, weekdayFrom, weekdayNames, weekdayOf } from "../../calendar.ts";
import {
  addDaysFound,
  type Days,
  daysFound,
  type ParseState,
  oneDay,
  putDays,
  type Rule,
  rule,
  singleDay,
} from "../parse-state/parse-state.ts";
import { countOf, moved, n } from "./relative-rules.ts";
const sunday = 0;

/** The coming one; today and in a week where it is today. */
function comingWeekday(today: string, weekday: number): string[] {
  const next = weekdayFrom(today, weekday);
  return next === today ? [today, addDays(today, 7)] : [next];
}

/** "next Friday" on a Wednesday is in two days to some and in nine to others; in another week there is one reading. */
function nextWeekday(today: string, weekday: number): string[] {
  const next = weekdayFrom(addDays(today, 1), weekday);
  const isOtherWeek = next > addDays(mondayOf(today), 6) && next > addDays(weekdayFrom(addDays(today, 1), sunday), -1);
  return isOtherWeek ? [next] : [next, addDays(next, 7)];
}

/** "any Tuesday" is one of the next four. */
const anyCount = 4;

const listed = (days: string[]): Days => ({ ranges: days.map((one) => ({ from: one, until: one })) });

const weekdayChoice = (state: ParseState, weekday: number, days: string[]): string =>
  addDaysFound(state, { either: days.map(oneDay), weekdays: [weekday] });

const numberOfDay = (name: string | undefined): number => weekdayNames.indexOf(name ?? "");

/** The day itself must be the weekday; else another such day is, or both are asked about. */
function onWeekday(state: ParseState, name: string, token: string): string | undefined {
  const { either, others } = daysFound(state, token);
  if (!others) return undefined;
  const weekday = numberOfDay(name);
  const fits = (one: string | undefined) => one !== undefined && weekdayOf(one) === weekday;
  const chosen = either.filter((one) => fits(singleDay(one)));
  if (chosen.length > 0) return putDays(state, ...chosen.map(({ ranges }) => ({ ranges })));
  const other = others.filter((one) => one >= state.today && fits(one)).slice(0, 1);
  if (other.length > 0) return putDays(state, ...other.map(oneDay));
  const said = singleDay(either.at(-1)!) ?? state.today;
  const around = [-3, -2, -1, 1, 2, 3].map((days) => addDays(said, days)).filter((one) => one >= state.today && fits(one));
  return putDays(state, oneDay(said), ...(around.length > 0 ? around : [weekdayFrom(said, weekday)]).map(oneDay));
}

/** Monday to Friday, of this week and the next. */
function workingDays(today: string): Days {
  const monday = mondayOf(today);
  const weeks = [0, 7, 14].map((days) => ({ from: addDays(monday, days), until: addDays(monday, days + 4) }));
  return { ranges: weeks.flatMap(({ from, until }) => (until < today ? [] : [{ from: from < today ? today : from, until }])).slice(0, 2) };
}

export const weekdayRules: Rule[] = [
  rule("(?:on |during )?(?:the |a |any )?(?:weekday|during the week)", (state) => putDays(state, workingDays(state.today))),
  rule("(?:the )?({W}) (?:the )?({D})", (state, name, token) => onWeekday(state, name!, token!)),
  rule(
    "(?<!(?:day|week|weekend) )(after|before) (?:the )?({D}) (?:on |maybe )?(?:a|some) ({W})",
    (_, side, token, name) => `${name} ${side} ${token}`,
  ),
  rule("({D}) (?:on|for) (?:a|any|some) ({W})", (_, token, name) => `${token} ${name}`),
  rule("({D}) (?:which is |thats |is |a |on )?(?:a )?({W})", (state, token, name) => onWeekday(state, name!, token!)),
  rule(
    `(?:(?:1|a|${n}) (week|month)|(week)(?= from)) (?:from|after|on|past|following) (?:this coming |coming |this |the |next )?({W}|{D})`,
    (state, count, long, short, name) => {
      const token = /^d\d/.test(name!) ? name! : putDays(state, ...comingWeekday(state.today, numberOfDay(name)).map(oneDay));
      return moved(state, token, countOf(count ?? "1"), (long ?? short)!);
    },
  ),
  rule(`${n} ({U}) (?:from|after|past|following) ({D})`, (state, count, unit, token) => moved(state, token!, countOf(count!), unit!)),
  rule(`${n} ({U}) before ({D})`, (state, count, unit, token) => moved(state, token!, -countOf(count!), unit!)),
  rule("({W}) week(?! ?end)", (state, name) =>
    putDays(state, ...comingWeekday(state.today, numberOfDay(name)).map((one) => oneDay(addDays(one, 7)))),
  ),
  rule("(?<!any |some )(?:the )?day after ({D})", (state, token) => moved(state, token!, 1, "day")),
  rule("(?<!any |some )(?:the )?day before ({D})", (state, token) => moved(state, token!, -1, "day")),
  // The second one, or two weeks after the coming one.
  rule("([2-4]) (?:each )?({W}) from ({D})", (state, count, name, token) => {
    const base = singleDay(daysFound(state, token!).either[0]!);
    if (base === undefined) return undefined;
    const first = weekdayFrom(addDays(base, 1), numberOfDay(name));
    return putDays(state, ...[Number(count) - 1, Number(count)].map((weeks) => oneDay(addDays(first, weeks * 7))));
  }),
  rule("1 week later ({W})", (state, name) => putDays(state, oneDay(addDays(weekdayFrom(state.today, numberOfDay(name)), 7)))),
  rule("(?:the )?({W}) after next", (state, name) =>
    putDays(state, oneDay(addDays(weekdayFrom(addDays(state.today, 1), numberOfDay(name)), 7))),
  ),
  rule("(?:the )?(?:1th )?({W}) (?:right )?(after|following|before) ({D})", (state, name, side, token) => {
    const bases = daysFound(state, token!).either.map(
      (one) => singleDay(one) ?? (side === "before" ? undefined : one.ranges.at(-1)!.until),
    );
    if (!bases.every((one) => one !== undefined)) return undefined;
    const on = (base: string) =>
      side === "before" ? weekdayFrom(addDays(base, -7), numberOfDay(name)) : weekdayFrom(addDays(base, 1), numberOfDay(name));
    return putDays(state, ...bases.map((base) => oneDay(on(base))));
  }),
  rule("each ({W})", (state, name) =>
    addDaysFound(state, { either: [listed(comingWeekday(state.today, numberOfDay(name)))], weekdays: [numberOfDay(name)] }),
  ),
  rule("(?:the )?otro ({W})", (state, name) => {
    const coming = weekdayFrom(addDays(state.today, 1), numberOfDay(name));
    return putDays(state, oneDay(coming), oneDay(addDays(coming, 7)));
  }),
  rule("(?:any|every) ({W})", (state, name) =>
    addDaysFound(state, {
      either: [listed([...Array(anyCount).keys()].map((weeks) => addDays(weekdayFrom(state.today, numberOfDay(name)), weeks * 7)))],
      weekdays: [numberOfDay(name)],
    }),
  ),
  rule("(?:on )?last ({W})", (state, name) => putDays(state, oneDay(addDays(weekdayFrom(state.today, numberOfDay(name)), -7)))),
  rule("(?:this |the )?(?:coming|upcoming) ({W})|this ({W})", (state, a, b) => {
    const weekday = numberOfDay(a ?? b);
    return a === undefined
      ? weekdayChoice(state, weekday, [weekdayFrom(state.today, weekday)])
      : weekdayChoice(state, weekday, [weekdayFrom(addDays(state.today, 1), weekday)]);
  }),
  // "Next Thursday and Friday" follow each other.
  rule("(?:the )?(?:next|following) ({W}) (or|and) ({W})", (state, a, link, b) => {
    const days = nextWeekday(state.today, numberOfDay(a));
    const later = days.map((one) => weekdayFrom(addDays(one, 1), numberOfDay(b)));
    return `${putDays(state, ...days.map(oneDay))} ${link} ${putDays(state, ...later.map(oneDay))}`;
  }),
  rule("(?:the )?(?:next|following) ({W})", (state, name) =>
    addDaysFound(state, { either: nextWeekday(state.today, numberOfDay(name)).map(oneDay) }),
  ),
  rule("({W})", (state, name) => weekdayChoice(state, numberOfDay(name), comingWeekday(state.today, numberOfDay(name)))),
];
