import { addDays, mondayOf, weekdayFrom, weekdayNames, weekdayOf } from "../../calendar-days.ts";
import { addDaysFound, type Days, daysFound, type Draft, oneDay, putDays, type Rule, rule, singleDay } from "../draft/draft.ts";
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

const weekdayChoice = (draft: Draft, weekday: number, days: string[]): string =>
  addDaysFound(draft, { either: days.map(oneDay), weekdays: [weekday] });

const numberOfDay = (name: string | undefined): number => weekdayNames.indexOf(name ?? "");

/** The day itself must be the weekday; else another such day is, or both are asked about. */
function onWeekday(draft: Draft, name: string, token: string): string | undefined {
  const { either, others } = daysFound(draft, token);
  if (!others) return undefined;
  const weekday = numberOfDay(name);
  const fits = (one: string | undefined) => one !== undefined && weekdayOf(one) === weekday;
  const chosen = either.filter((one) => fits(singleDay(one)));
  if (chosen.length > 0) return putDays(draft, ...chosen.map(({ ranges }) => ({ ranges })));
  const other = others.filter((one) => one >= draft.today && fits(one)).slice(0, 1);
  if (other.length > 0) return putDays(draft, ...other.map(oneDay));
  const said = singleDay(either.at(-1)!) ?? draft.today;
  const around = [-3, -2, -1, 1, 2, 3].map((days) => addDays(said, days)).filter((one) => one >= draft.today && fits(one));
  return putDays(draft, oneDay(said), ...(around.length > 0 ? around : [weekdayFrom(said, weekday)]).map(oneDay));
}

/** Monday to Friday, of this week and the next. */
function workingDays(today: string): Days {
  const monday = mondayOf(today);
  const weeks = [0, 7, 14].map((days) => ({ from: addDays(monday, days), until: addDays(monday, days + 4) }));
  return { ranges: weeks.flatMap(({ from, until }) => (until < today ? [] : [{ from: from < today ? today : from, until }])).slice(0, 2) };
}

export const weekdayRules: Rule[] = [
  rule("(?:on |during )?(?:the |a |any )?(?:weekday|during the week)", (draft) => putDays(draft, workingDays(draft.today))),
  rule("(?:the )?({W}) (?:the )?({D})", (draft, name, token) => onWeekday(draft, name!, token!)),
  rule(
    "(?<!(?:day|week|weekend) )(after|before) (?:the )?({D}) (?:on |maybe )?(?:a|some) ({W})",
    (_, side, token, name) => `${name} ${side} ${token}`,
  ),
  rule("({D}) (?:on|for) (?:a|any|some) ({W})", (_, token, name) => `${token} ${name}`),
  rule("({D}) (?:which is |thats |is |a |on )?(?:a )?({W})", (draft, token, name) => onWeekday(draft, name!, token!)),
  rule(
    `(?:(?:1|a|${n}) (week|month)|(week)(?= from)) (?:from|after|on|past|following) (?:this coming |coming |this |the |next )?({W}|{D})`,
    (draft, count, long, short, name) => {
      const token = /^d\d/.test(name!) ? name! : putDays(draft, ...comingWeekday(draft.today, numberOfDay(name)).map(oneDay));
      return moved(draft, token, countOf(count ?? "1"), (long ?? short)!);
    },
  ),
  rule(`${n} ({U}) (?:from|after|past|following) ({D})`, (draft, count, unit, token) => moved(draft, token!, countOf(count!), unit!)),
  rule(`${n} ({U}) before ({D})`, (draft, count, unit, token) => moved(draft, token!, -countOf(count!), unit!)),
  rule("({W}) week(?! ?end)", (draft, name) =>
    putDays(draft, ...comingWeekday(draft.today, numberOfDay(name)).map((one) => oneDay(addDays(one, 7)))),
  ),
  rule("(?<!any |some )(?:the )?day after ({D})", (draft, token) => moved(draft, token!, 1, "day")),
  rule("(?:the )?day before ({D})", (draft, token) => moved(draft, token!, -1, "day")),
  // The second one, or two weeks after the coming one.
  rule("([2-4]) (?:each )?({W}) from ({D})", (draft, count, name, token) => {
    const base = singleDay(daysFound(draft, token!).either[0]!);
    if (base === undefined) return undefined;
    const first = weekdayFrom(addDays(base, 1), numberOfDay(name));
    return putDays(draft, ...[Number(count) - 1, Number(count)].map((weeks) => oneDay(addDays(first, weeks * 7))));
  }),
  rule("1 week later ({W})", (draft, name) => putDays(draft, oneDay(addDays(weekdayFrom(draft.today, numberOfDay(name)), 7)))),
  rule("(?:the )?({W}) after next", (draft, name) =>
    putDays(draft, oneDay(addDays(weekdayFrom(addDays(draft.today, 1), numberOfDay(name)), 7))),
  ),
  rule("(?:the )?(?:1th )?({W}) (?:right )?(after|following|before) ({D})", (draft, name, side, token) => {
    const bases = daysFound(draft, token!).either.map((one) => singleDay(one));
    if (!bases.every((one) => one !== undefined)) return undefined;
    const on = (base: string) =>
      side === "before" ? weekdayFrom(addDays(base, -7), numberOfDay(name)) : weekdayFrom(addDays(base, 1), numberOfDay(name));
    return putDays(draft, ...bases.map((base) => oneDay(on(base))));
  }),
  rule("each ({W})", (draft, name) =>
    addDaysFound(draft, { either: [listed(comingWeekday(draft.today, numberOfDay(name)))], weekdays: [numberOfDay(name)] }),
  ),
  rule("(?:the )?otro ({W})", (draft, name) => {
    const coming = weekdayFrom(addDays(draft.today, 1), numberOfDay(name));
    return putDays(draft, oneDay(coming), oneDay(addDays(coming, 7)));
  }),
  rule("(?:any|every) ({W})", (draft, name) =>
    addDaysFound(draft, {
      either: [listed([...Array(anyCount).keys()].map((weeks) => addDays(weekdayFrom(draft.today, numberOfDay(name)), weeks * 7)))],
      weekdays: [numberOfDay(name)],
    }),
  ),
  rule("(?:on )?last ({W})", (draft, name) => putDays(draft, oneDay(addDays(weekdayFrom(draft.today, numberOfDay(name)), -7)))),
  rule("(?:this |the )?(?:coming|upcoming) ({W})|this ({W})", (draft, a, b) => {
    const weekday = numberOfDay(a ?? b);
    return a === undefined
      ? weekdayChoice(draft, weekday, [weekdayFrom(draft.today, weekday)])
      : weekdayChoice(draft, weekday, [weekdayFrom(addDays(draft.today, 1), weekday)]);
  }),
  rule("(?:the )?(?:next|following) ({W})(?= or {W})|(?:the )?(?:next|following) ({W})", (draft, a, b) => {
    const weekday = numberOfDay(a ?? b);
    return addDaysFound(draft, { either: nextWeekday(draft.today, weekday).map(oneDay) });
  }),
  rule("({W})", (draft, name) => weekdayChoice(draft, numberOfDay(name), comingWeekday(draft.today, numberOfDay(name)))),
];
