import { addDays, mondayOf, weekdayFrom } from "../../calendar.ts";
import {
  addDaysFound,
  type DayChoice,
  type Days,
  daysFound,
  type ParseState,
  putDays,
  rangeOf,
  type Rule,
  rule,
  singleDay,
} from "../parse-state/parse-state.ts";
import { noDay } from "./choices.ts";

/** From today; undefined where it is over, or has no end. */
const before = (today: string, end: string | undefined): Days | undefined =>
  end !== undefined && end >= today ? { ranges: [{ from: today, until: end }] } : undefined;

/** The outer ends, where the one end follows the other. */
function span(state: ParseState, a: string, b: string): string | undefined {
  const ends = daysFound(state, b);
  const pairs = daysFound(state, a).either.flatMap((start) =>
    ends.either.flatMap((end) => {
      const from = start.ranges[0]!.from;
      const until = end.ranges.at(-1)!.until;
      if (until === undefined) return [];
      if (until >= from) return [rangeOf(from, until)];
      return ends.weekdays ? [rangeOf(from, weekdayFrom(from, ends.weekdays[0]!))] : [];
    }),
  );
  return pairs.length > 0 ? putDays(state, ...pairs) : undefined;
}

/** Days of both; days in a row are one range. */
function merged(x: Days, y: Days): Days {
  const ranges: Days["ranges"] = [];
  for (const range of [...x.ranges, ...y.ranges].toSorted((p, q) => p.from.localeCompare(q.from))) {
    const last = ranges.at(-1);
    if (last?.until !== undefined && range.from <= addDays(last.until, 1))
      ranges[ranges.length - 1] = { ...last, ...(range.until ? { until: range.until } : {}) };
    else ranges.push({ ...range });
  }
  return { ranges, ...(x.isApproximate || y.isApproximate ? { isApproximate: true } : {}) };
}

/** Today by the name of its weekday, beside another weekday, is next week's: today would be called so. */
export function notToday(state: ParseState, choice: DayChoice, other: DayChoice): DayChoice {
  const [today, later, ...more] = choice.either;
  const isOther = other.weekdays && choice.weekdays && !other.weekdays.some((weekday) => choice.weekdays!.includes(weekday));
  return isOther && today && later && more.length === 0 && singleDay(today) === state.today ? { ...choice, either: [later] } : choice;
}

/** Both, in every combination that can be meant. */
function union(state: ParseState, a: string, b: string): string {
  const [one, other] = [daysFound(state, a), daysFound(state, b)].map((choice, at, both) => notToday(state, choice, both[1 - at]!)) as [
    DayChoice,
    DayChoice,
  ];
  const weekdays = one.weekdays && other.weekdays ? { weekdays: [...one.weekdays, ...other.weekdays] } : {};
  // "12/3 or 12/4": the month comes first in both or in neither.
  const isPaired = one.either.length === other.either.length;
  const either = one.either.flatMap((x, at) => (isPaired ? [other.either[at]!] : other.either).map((y) => merged(x, y)));
  return addDaysFound(state, { either, ...weekdays });
}

const bounded = (state: ParseState, token: string, read: (days: Days) => Days | undefined): string | undefined => {
  const either = daysFound(state, token).either.flatMap((one) => read(one) ?? []);
  return either.length > 0 ? putDays(state, ...either) : undefined;
};

const fromThen = (state: ParseState, token: string): string | undefined =>
  bounded(state, token, ({ ranges }) => ({ ranges: [{ from: ranges[0]!.from }] }));
const untilThen = (state: ParseState, token: string): string | undefined =>
  bounded(state, token, ({ ranges }) => before(state.today, ranges.at(-1)!.until));

/** "I can be there by Monday" and Mexican "hasta el lunes" are until then to some and from then to others. */
const untilOrFrom = (state: ParseState, token: string): string | undefined => {
  const either = daysFound(state, token).either.flatMap(({ ranges }) => [
    ...[before(state.today, ranges.at(-1)!.until) ?? []].flat(),
    { ranges: [{ from: ranges[0]!.from }] },
  ]);
  return either.length > 0 ? putDays(state, ...either) : undefined;
};

/** "Next week before Thursday". */
function withinWeek(state: ParseState, week: string, side: string, token: string): string | undefined {
  const { weekdays = [] } = daysFound(state, token);
  const [weekday, ...others] = weekdays;
  if (weekday === undefined || others.length > 0 || daysFound(state, week).weekdays) return undefined;
  const either = daysFound(state, week).either.flatMap(({ ranges: [range, ...more] }) => {
    if (!range?.until || range.from === range.until || range.until > addDays(range.from, 6) || more.length > 0) return [];
    const day = weekdayFrom(range.from, weekday);
    const isUntil = ["before", "by", "until", "not after", "no later than"].includes(side);
    const from = side === "after" ? addDays(day, 1) : isUntil ? range.from : day;
    const until = side === "before" ? addDays(day, -1) : isUntil ? day : range.until;
    return day <= range.until && from <= until ? [rangeOf(from, until)] : [];
  });
  return either.length > 0 ? putDays(state, ...either) : undefined;
}

/** Not in front of a time: "before Friday at noon" is no day. */
const alone = "(?! (?:at )?(?:t\\d|\\d|noon|in the|morning|afternoon|evening))";

const approximate = (state: ParseState, token: string): string => {
  const found = daysFound(state, token);
  return addDaysFound(state, { ...found, either: found.either.map((one) => ({ ...one, isApproximate: true })) });
};

const hasTime = /(?<!\w)t\d|(?<![dt\d])\d/;
const startingAfter = (day: string | undefined): Days | undefined =>
  day === undefined ? undefined : { ranges: [{ from: addDays(day, 1) }] };

/** "Christmas is Friday, so the week after". */
function nextOne(day: string | undefined, isWeek: boolean): Days | undefined {
  if (day === undefined) return undefined;
  const from = isWeek ? addDays(mondayOf(day), 7) : addDays(day, 1);
  return { ranges: [{ from, until: isWeek ? addDays(from, 6) : from }] };
}

/** "The day after Thanksgiving, then the Friday after that". */
function afterIt(state: ParseState, base: string, words: string, token: string): string | undefined {
  const { weekdays: [weekday, ...others] = [] } = daysFound(state, token);
  const days = daysFound(state, base).either.map(({ ranges }) => ranges.at(-1)!.until);
  if (weekday === undefined || others.length > 0 || !days.every((day) => day !== undefined)) return undefined;
  return `${words} ${putDays(state, ...days.map((day) => ({ ranges: [weekdayFrom(addDays(day, 1), weekday)].map((from) => ({ from, until: from })) })))}`;
}

export const dateRelations: Rule[] = [
  rule("({D}) ?(?:ish|or so|or thereabouts|give or take|or around then|or around there|more or less)", (state, token) =>
    approximate(state, token!),
  ),
  rule("(?:around|about|roughly|approximately|close to|near) (?:the )?({D})", (state, token) => approximate(state, token!)),
  rule(`by or from (?:the )?{D}(?= (?:at )?(?:t\\d|\\d|noon|in the|morning|afternoon|evening))`, () => noDay),
  rule(`by or from (?:the )?({D})${alone}`, (state, token) => untilOrFrom(state, token!)),
  rule(
    `({D}) ((?:not )?(?:before|after)|by|until|starting|from|no (?:earlier|sooner|later) than) (?:the )?({D})${alone}`,
    (state, week, side, token) => withinWeek(state, week!, side!, token!),
  ),
  rule(`(before|by|until) (?:the )?({D}) ({D})${alone}`, (state, side, token, week) => {
    const days = withinWeek(state, week!, side!, token!);
    return days && bounded(state, days, ({ ranges }) => before(state.today, ranges[0]!.until));
  }),
  rule("({D}) ({D}) ({D})", (state, a, b, c) =>
    [a, b, c].every((token) => daysFound(state, token!).weekdays) ? union(state, union(state, a!, b!), c!) : undefined,
  ),
  rule("({D}) ({D})(?= (?:or|and) (?:the )?{D})", (state, a, b) =>
    daysFound(state, a!).weekdays && daysFound(state, b!).weekdays ? union(state, a!, b!) : undefined,
  ),
  // "Late January, early February".
  rule("({D}) ({D})", (state, a, b) => {
    const [one, other] = [a, b].map((token) => daysFound(state, token!).either);
    const [last, first] = [one![0]!.ranges.at(-1)!.until, other![0]!.ranges[0]!.from];
    return one!.length === 1 && other!.length === 1 && one![0]!.isApproximate && last !== undefined && addDays(last, 1) === first
      ? union(state, a!, b!)
      : undefined;
  }),
  rule("between (?:the )?({D}) and (?:the )?({D})", (state, a, b) => span(state, a!, b!)),
  rule("(?:from |starting )?(?:the )?({D}) (?:to|through|until|till|til|up to|-) (?:the )?({D})", (state, a, b) => span(state, a!, b!)),
  rule(
    "({D}) (?:or|and) (?:later|after|thereafter|beyond|any ?(?:time|day) (?:after|later)(?: that)?)(?! {D})|({D}) at the (?:very )?(?:earliest|soonest)",
    (state, token, earliest) => fromThen(state, (token ?? earliest)!),
  ),
  rule("({D}) or (?:earlier|before|sooner)|({D}) at the (?:very )?latest", (state, token, latest) => untilThen(state, (token ?? latest)!)),
  rule(
    `({D}) (?:onwards?|and after|and on|forward|on(?= ?$| please| would| is| works?| sounds))(?= |$)(?! (?:the )?{D})${alone}`,
    (state, token) => fromThen(state, token!),
  ),
  rule(
    `(?:starting|from|beginning|as of|on or after|not before|no earlier than|no sooner than|not earlier than|any ?time from)(?: on)? (?:the )?({D})(?: on| onwards?)?(?! (?:at )?(?:t\\d|\\d|noon))`,
    (state, token) => fromThen(state, token!),
  ),
  rule(`(?:(?<!not )after|past|(?<!no |not )later than) (?:the )?({D})${alone}`, (state, token) =>
    bounded(state, token!, ({ ranges }) => (ranges.at(-1)!.until ? { ranges: [{ from: addDays(ranges.at(-1)!.until!, 1) }] } : undefined)),
  ),
  rule(`(?:(?<!not |on or )before|(?<!no |not )earlier than|(?<!no |not )sooner than|ahead of) (?:the )?({D})${alone}`, (state, token) =>
    bounded(state, token!, ({ ranges }) => before(state.today, addDays(ranges[0]!.from, -1))),
  ),
  rule(`(?:by|until|till|til|not after|no later than|not later than|on or before|through|up to) (?:the )?({D})${alone}`, (state, token) =>
    untilThen(state, token!),
  ),
  rule("({D})((?: (?!or )[a-z]+)*?) (?:the )?({D}) after that", (state, base, words, token) => afterIt(state, base!, words!, token!)),
  rule(
    "(?:(?:after|before|by|until|till|til|from) )?({D})(?: (?!or )[a-z]+)* (?:so|then|and|but)((?: [a-z]+){0,4}?) (after|before)(?: that(?! [a-z]*day)| ?$)",
    (state, token, words, side) =>
      hasTime.test(state.text)
        ? undefined
        : bounded(state, token!, ({ ranges }) =>
            side === "before"
              ? before(state.today, addDays((ranges[0]!.from === state.today && ranges[0]!.until) || ranges[0]!.from, -1))
              : / (?:the|that) (?:week|day)$/.test(words!)
                ? nextOne(ranges.at(-1)!.until, words!.endsWith("week"))
                : startingAfter(ranges.at(-1)!.until),
          ),
  ),
  rule("({D}) but ({D})(?= (?:too|also|as well))", (state, a, b) => union(state, a!, b!)),
  // "I'd prefer Monday, but Tuesday is fine".
  rule("({D}) but (?:maybe |also )?({D})", (state, a, b) =>
    [a, b].every((token) => daysFound(state, token!).either.every((days) => singleDay(days) !== undefined))
      ? union(state, a!, b!)
      : undefined,
  ),
  ...[1, 2, 3].map((): Rule =>
    rule(
      "({D})(?: or| and| or a| and a| or maybe| or even| or possibly| or on| otherwise| or else| or the| and the)+ ({D})",
      (state, a, b) => union(state, a!, b!),
    ),
  ),
];
