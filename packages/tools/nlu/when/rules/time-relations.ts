import { type ParseState, rule, type Rule, timeFound } from "../parse-state/parse-state.ts";
import { isPoint, minutesInDay, noon, put, window } from "./time-rules.ts";

const approximate = (state: ParseState, token: string): string => {
  const choice = timeFound(state, token);
  return put(state, { ...choice, isApproximate: true });
};
const bounded = (state: ParseState, token: string, bound: "from" | "until" | "either"): string => {
  const { isApproximate, ...choice } = timeFound(state, token);
  const more = { bound, ...(isApproximate ? { isApproximate } : {}) };
  if (isPoint(choice)) return put(state, { ...choice, ...more });
  return bound === "from" ? put(state, window(choice.until.minutes, minutesInDay, more)) : put(state, window(0, choice.from.minutes, more));
};
const spanning = (state: ParseState, a: string, b: string, isApproximate = false): string => {
  const [one, other] = [timeFound(state, a), timeFound(state, b)];
  return put(state, {
    from: one.from,
    until: other.until,
    ...(isApproximate || one.isApproximate || other.isApproximate ? { isApproximate: true } : {}),
  });
};

const T = "(?:at )?(?:a )?({T})";
export const timeRelations: Rule[] = [
  rule("(?<!as )(?:bright and |real |very |nice and )*early ((?:before |by |at |around |about |like |as )*)({T})", (state, words, a) =>
    inMorning(state, words!, a!),
  ),
  rule(
    `(?:some ?where |some ?time )?(?:around|about|approximately|roughly|close to|near|circa|like around|give or take) (?:like |maybe |say )?${T}(?: ish)?`,
    (state, a) => approximate(state, a!),
  ),
  rule(`${T} ?(?:ish|or so|or thereabouts|more or less|give or take|or around there|or around then)`, (state, a) => approximate(state, a!)),
  rule(
    `(?:(?:a )?(?:little|tiny|wee|smidge|hair|tad)(?: bit| ways?)?|a bit|shortly|just|(?:a )?few minute|right) (after|before|past|till) ${T}`,
    (state, side, a) => nearby(state, side === "before" || side === "till", a!),
  ),
  rule(`(?:some ?time |some ?where |any ?time )?(?:in )?between ${T} (?:and|to|or) ${T}`, (state, a, b) => spanning(state, a!, b!)),
  rule("({T}) ({T})", (state, a, b) => adjoining(state, a!, b!)),
  rule(`${T} and ${T}`, (state, a, b) => bothTimes(state, a!, b!)),
  rule(`(?:any ?time )?(?:from )?${T} (?:to|through|until|till|til|up to) ${T}`, (state, a, b) => spanning(state, a!, b!)),
  rule(
    `(?:from )?${T} (?:or|and) (?:later|after|onwards?|beyond|on)(?! (?:at )?{T})|(?:from )?${T} onwards?|from ${T} on|${T} on(?= ?$| please)`,
    (state, ...all) =>
      bounded(
        state,
        all.find((one) => one !== undefined)!,
        "from",
      ),
  ),
  rule(`${T} (?:or|and) (?:earlier|before|sooner)(?! (?:at )?{T})`, (state, a) => bounded(state, a!, "until")),
  rule(
    `(?:(?:after|past|before|by|until|till|til|from) )?${T}(?: (?!or )[a-z]+)* (?:so|then|and|but)((?: [a-z]+){0,4}?) (after|before) that(?! [a-z]*day)`,
    (state, a, words, side) => `${words} ${bounded(state, a!, side === "before" ? "until" : "from")}`,
  ),
  rule(`${T} (?:at the )?(?:very )?latest`, (state, a) => bounded(state, a!, "until")),
  rule(`${T} (?:at the )?(?:very )?(?:earliest|soonest)`, (state, a) => bounded(state, a!, "from")),
  rule(`by or from ${T}`, (state, a) => bounded(state, a!, "either")),
  rule(
    `(?:any ?time )?(?:(?<!not )after|(?<!not )past|(?<!no |not )later than|no earlier than|not earlier than|not before|no sooner than|as early as|starting(?: at| from)?|from) (?:like |about |around |maybe |say )*${T}`,
    (state, a) => bounded(state, a!, "from"),
  ),
  rule(
    `(?:any ?time )?(?:(?<!not )before|by|until|till|til|(?<!no |not )earlier than|no later than|not later than|not (?:after|past)|as late as|up to) (?:like |about |around |maybe |say )*${T}`,
    (state, a) => bounded(state, a!, "until"),
  ),
  rule(`${T} (?:or|or maybe|or like|or even) ${T}`, (state, a, b) => either(state, a!, b!)),
  rule("early", (state) => earlyOnDay(state)),
];

const notEarly =
  /(?<= |^)(?:nt|not?|too(?= early)|why|how|muy|or|if|late|later|until|up|off|out|enough|open|close|get|wake|abren|cierran|salgo|levanto|than)(?= |$)/;
/** "Thursday, but it has to be early". */
const earlyOnDay = (state: ParseState): string | undefined =>
  /(?<!\w)d\d/.test(state.text) && !/(?<!\w)t\d|(?<![dt\d])\d/.test(state.text) && !notEarly.test(state.text)
    ? put(state, window(0, noon, { half: "am" }))
    : undefined;

/** "A little after nine". */
const near = 30;
function nearby(state: ParseState, isBefore: boolean, token: string): string | undefined {
  const choice = timeFound(state, token);
  if (!isPoint(choice)) return undefined;
  const other = {
    ...choice.from,
    minutes: (choice.from.minutes + (isBefore ? minutesInDay - near : near)) % (choice.from.isEitherHalf ? noon : minutesInDay),
  };
  return put(state, { from: isBefore ? other : choice.from, until: isBefore ? choice.from : other, isApproximate: true });
}

/** "Late morning, early afternoon". */
function adjoining(state: ParseState, a: string, b: string): string | undefined {
  const [one, other] = [timeFound(state, a), timeFound(state, b)];
  return !isPoint(one) && !isPoint(other) && one.until.minutes === other.from.minutes ? spanning(state, a, b) : undefined;
}

/** "Four and four fifteen", for two. */
function bothTimes(state: ParseState, a: string, b: string): string | undefined {
  const [one, other] = [timeFound(state, a), timeFound(state, b)];
  return isPoint(one) && isPoint(other) && other.from.minutes > one.from.minutes && other.from.minutes - one.from.minutes <= near
    ? spanning(state, a, b, true)
    : undefined;
}

/** "Early, like before seven". */
function inMorning(state: ParseState, words: string, token: string): string | undefined {
  const { from, until, ...choice } = timeFound(state, token);
  if (from !== until || !from.isEitherHalf || from.minutes < 300) return undefined;
  const at = { minutes: from.minutes };
  return `${words}${put(state, { ...choice, from: at, until: at })}`;
}

const maxApart = 90;

/** "three or four" is the time between, "ten or two" one of both; "morning or afternoon" both where one ends as the other begins. */
function either(state: ParseState, a: string, b: string): string | undefined {
  const [one, other] = [timeFound(state, a), timeFound(state, b)];
  // "Before ten or after eleven".
  if (one.bound || other.bound) return put(state, { ...one, or: other });
  if (isPoint(one) && isPoint(other)) {
    const apart = (other.from.minutes - one.from.minutes + noon) % noon;
    return apart > maxApart && apart < noon - maxApart ? put(state, { ...one, or: other }) : spanning(state, a, b, true);
  }
  if (one.until.minutes === other.from.minutes) return spanning(state, a, b);
  if (!isPoint(one) && !isPoint(other) && !one.half && !other.half && !one.edge && !other.edge) return put(state, { ...one, or: other });
  return undefined;
}
