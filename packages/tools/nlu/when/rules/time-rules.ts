import {
  addTimeFound,
  type Clock,
  daysFound,
  type ParseState,
  singleDay,
  rule,
  type Rule,
  type TimeChoice,
} from "../parse-state/parse-state.ts";

export const minutesInDay = 1440;
export const noon = 720;

const point = (at: Clock, more: Partial<TimeChoice> = {}): TimeChoice => ({ from: at, until: at, ...more });
export const window = (from: number, until: number, more: Partial<TimeChoice> = {}): TimeChoice => ({
  from: { minutes: from },
  until: { minutes: until },
  ...more,
});
export const isPoint = ({ from, until, edge }: TimeChoice): boolean => from === until && !edge;

/** "am", "pm", or the part of the day that says as much. */
function half(said: string | undefined, hour: number): "am" | "pm" | undefined {
  if (said === undefined || said === "") return undefined;
  if (said === "am" || said === "morning") return "am";
  const isAfterMidnight = (said === "night" && hour < 5) || (["night", "evening"].includes(said) && hour === 12);
  return isAfterMidnight ? "am" : "pm";
}

/** undefined for no time of the clock. Hours above twelve and "09" are of twenty-four. */
function clockOf(hourSaid: string, minuteSaid = "0", said?: string): Clock | undefined {
  const [hour, minute] = [Number(hourSaid), Number(minuteSaid)];
  if (hour > 23 || minute > 59) return undefined;
  const part = half(said, hour);
  if (part && hour >= 1 && hour <= 12) return { minutes: ((hour % 12) + (part === "pm" ? 12 : 0)) * 60 + minute };
  if (part && hour !== 0 && hour < 13) return undefined;
  const isOfTwentyFour = hour > 12 || hourSaid.startsWith("0");
  return isOfTwentyFour ? { minutes: hour * 60 + minute } : { minutes: (hour % 12) * 60 + minute, isEitherHalf: true };
}

export const put = (state: ParseState, choice: TimeChoice): string => addTimeFound(state, choice);
const at = (state: ParseState, hour: string, minute?: string, said?: string): string | undefined => {
  const clock = clockOf(hour, minute, said);
  return clock && put(state, point(clock));
};

/** "ten to eleven": ten minutes before it. */
const beforeHour = (state: ParseState, minutes: string, hour: string, said?: string): string | undefined => {
  const clock = clockOf(hour, "0", said);
  if (!clock) return undefined;
  const shifted = clock.minutes - Number(minutes);
  return put(
    state,
    point(
      clock.isEitherHalf ? { minutes: (shifted + noon) % noon, isEitherHalf: true } : { minutes: (shifted + minutesInDay) % minutesInDay },
    ),
  );
};

const suffix = "(?: ?(am|pm)|,? (?:early )?(?:in|at|during|of) (?:the )?(?:early |late )?(morning|afternoon|evening|night))?";
const fives = "(5|10|15|20|25|30)(?: minute)?";

const toHour = (source: string): Rule =>
  rule(`${source} ({H})(?!:)${suffix}`, (state, minute, hour, said, part) => beforeHour(state, minute!, hour!, said ?? part));

/** Before dates, as their numbers are of no day. */
export const clockRules: Rule[] = [
  rule("({H}):30 ({H})(?: oclock)?(?![:\\d])", (state, hour, next) => {
    const until = Number(next) === (Number(hour) % 12) + 1 ? clockOf(next!) : undefined;
    return until && put(state, { from: clockOf(hour!, "30")!, until, isApproximate: true });
  }),
  rule("({H})[ :]([0-5]\\d) ({H})[ :]([0-5]\\d)", (_, a, minute, b, last) =>
    a === b || Number(b) === (Number(a) % 12) + 1 ? `${a}:${minute} or ${b}:${last}` : undefined,
  ),
  rule("({H}) (?:or |maybe )?({H})[ :]30", (state, hour, same) =>
    hour === same ? put(state, { from: clockOf(hour!)!, until: clockOf(hour!, "30")!, isApproximate: true }) : undefined,
  ),
  rule(
    `(from |between )(?:at )?({H})${suffix} (to|and|until) (?:at )?({H})(?! minute)${suffix}(?= |$)(?! (?:of )?(?:{M}|30|15|45|\\d\\d))`,
    (state, start, a, am, part, link, b, am2, part2) =>
      [am, part, am2, part2].every((one) => one === undefined)
        ? undefined
        : spanFrom(state, start!, at(state, a!, "0", am ?? part), link!, at(state, b!, "0", am2 ?? part2)),
  ),
  rule(
    "({H}(?::\\d\\d)?)-({H}(?::\\d\\d)?)(?= (?:am|pm|in the))|({H}:\\d\\d)-({H}:\\d\\d)",
    (_, a, b, c, d) => `from ${a ?? c} to ${b ?? d}`,
  ),
  rule(`(\\d{1,2}):(\\d{2})(?::\\d{2})?(?:z)?${suffix}`, (state, hour, minute, said, part) => at(state, hour!, minute, said ?? part)),
  rule(`(?:at )?${fives} (?:past|after) ({H})${suffix}`, (state, minute, hour, said, part) => at(state, hour!, minute, said ?? part)),
  toHour(`(?<!from |between )at ${fives} (?:to|till|til|before|of|until)`),
  toHour("(15|20|25)(?: minute)? (?:to|till|til|before|of)"),
  toHour("(5|10) minute (?:to|till|til|before|of)"),
  toHour("(?<!from |between |{M} |{M} the )(5|10) (?:till|til|of)"),
  rule(`({H}) (\\d{2}) (am|pm)`, (state, hour, minute, said) => at(state, hour!, minute, said)),
  // "One thirty, two o'clock" is the time between.
  rule("({H}) 3([1-9])(?: oclock)?", (state, hour, next) => {
    const until = Number(next) === (Number(hour) % 12) + 1 ? clockOf(next!) : undefined;
    return until && put(state, { from: clockOf(hour!, "30")!, until, isApproximate: true });
  }),
  rule(`({H}) ?(\\d{2}) oclock`, (state, hour, minute) => at(state, hour!, minute)),
  rule(`({H})(\\d{2}) (am|pm)`, (state, hour, minute, said) => at(state, hour!, minute, said)),
  rule(`({H}) (\\d{2}) (?:in|at) (?:the )?(morning|afternoon|evening|night)`, (state, hour, minute, said) =>
    at(state, hour!, minute, said),
  ),
  rule("({H}) (0\\d)", (state, hour, minute) => at(state, hour!, minute)),
  rule(`({H}) oclock${suffix}`, (state, hour, said, part) => at(state, hour!, "0", said ?? part)),
  rule("({H}) (am|pm)", (state, hour, said) => at(state, hour!, "0", said)),
  rule("({H}) (?:oclock )?(?:in|at) (?:the )?(?:early |late )?(morning|afternoon|evening|night)", (state, hour, said) =>
    at(state, hour!, "0", said),
  ),
  rule("(?:12 )?noon", (state) => put(state, point({ minutes: noon }))),
  rule("(?:12 )?midnight", (state) => put(state, point({ minutes: 0 }))),
];

function spanFrom(_: ParseState, start: string, a: string | undefined, link: string, b: string | undefined): string | undefined {
  return a && b ? `${start}${a} ${link} ${b}` : undefined;
}

const parts: Record<string, TimeChoice> = {
  "early (?:in the )?morning|bright and early|(?:the )?(?:crack of dawn|break of day|first light|sun ?up|sunrise)": window(0, 600, {
    half: "am",
    isApproximate: true,
  }),
  "mid ?morning|middle of the morning": window(540, 660, { half: "am", isApproximate: true }),
  "late(?:r)? (?:in the )?morning": window(600, noon, { half: "am", isApproximate: true }),
  "early (?:in the )?afternoon": window(noon, 840, { half: "pm", isApproximate: true }),
  "mid ?afternoon|middle of the afternoon": window(840, 960, { half: "pm", isApproximate: true }),
  "late(?:r)? (?:in the )?afternoon|late(?:r)? (?:on )?in the day": window(900, 1020, { half: "pm", isApproximate: true }),
  "early (?:in the )?evening": window(1020, 1140, { half: "pm", isApproximate: true }),
  "after drop ?off": point({ minutes: 480 }, { bound: "from", isApproximate: true }),
  "(?:after ?school|when school (?:is|lets|gets) out|once school (?:is|lets) out)(?! (?:year|starts?|begins?|is over)(?: |$)| (?:[a-z]+ )*(?:summer|break|june|may))":
    window(900, 1080, { isApproximate: true }),
  "before ?school(?! (?:starts|begins|year|lets|gets|is))": window(0, 510, { isApproximate: true }),
  "after ?work|(?:when|once|after) i get off(?: of)? work": window(1020, minutesInDay, { isApproximate: true }),
  "before (?:i go to |going to )?work": window(0, 540, { isApproximate: true }),
  "(?:right |just )?after lunch": window(780, 1020, { isApproximate: true }),
  "(?:right |just )?before lunch": window(0, noon, { isApproximate: true }),
  "(?:(?:at|over|during|around|on) )?(?:my |the )?lunch": window(690, 810, { isApproximate: true }),
  morning: window(0, noon, { half: "am" }),
  afternoon: window(noon, 1020, { half: "pm" }),
  "evening|night|night time": window(1020, minutesInDay, { half: "pm" }),
};

/** "The first thing" is no date. */
export const edgeRules: Rule[] = [
  rule("(?:by|before) (?:the )?(?:end of (?:the )?(?:business |work ?)?day|close of business|closing(?: time)?)", () => " "),
  rule(
    "(?:the |at |very |(?<!the )1th )*(?:1th thing|first thing)(?! (?:you|yall) (?:have|got))(?: in the morning| morning| when you open)?|(?:right |as soon as )?(?:when|once|(?:as )?soon as) (?:you|you guys|yall|they|the office|the clinic) opens?(?: up)?|(?:at|right at) opening(?: time)?|(?:the )?1th (?:appointment|slot|opening|1) (?:of the day|(?:in|of) the morning)",
    (state) => put(state, window(0, 540, { edge: "opening" })),
  ),
  rule("(?:as )?early as (?:(?:you|yall|they) got|(?:you|yall|they)ve got)", () => "early"),
  rule(
    "(?:the )?last thing(?: of the day| in the day)?|(?:the |toward |towards |at |near )*end of (?:the )?(?:work ?)?day|(?:the )?last (?:appointment|slot|opening|1) of (?:the )?day|the (?:very )?last (?:appointment|slot|spot)(?= ?$| on| {W}| {D}| you| please)|close of business|(?:the )?latest (?:appointment|slot|opening|time|you (?:have|got))(?: you (?:have|got))?|(?:as )?late as (?:possible|(?:you|yall|they|i|we) (?:have|got|can|do)|(?:you|yall|they)ve got)|(?:the )?latest (?:thing )?(?:possible|youve got)|(?:right )?before (?:you|you guys|the office) closes?|(?:at|right at|around|near|close to) closing(?: time)?",
    (state) => put(state, window(960, 1020, { edge: "closing" })),
  ),
];

const introduced =
  "(?<=(?:at|around|about|after|before|by|until|till|like|say|than|between|from|to|or|and|maybe|do|take|make it|the|for) )";
/** Words after an hour that is said without more; before other words it is a count. */
const followers =
  "(?= ?$| (?:on|in|at|or|and|to|would|will|works?|is|are|was|please|if|for|{D}|{T}|sounds|sharp|then|but|so|good|fine|ok|okay|great|perfect|better|best|that|thats|this|i|we|you|it|its|maybe|like|um|uh|yeah|yes|thanks|thank|tops|exactly|because|since|though|with|not|the|ish|more|possibly|preferably|instead|either|any|around|about|after|before|until|till|by|onwards?|through|right|early|late|morning|afternoon|evening|can|could|do|does|see|let|id|im|por|si|favor|esta|mas|me|con|para|seria|gracias|que|porque|no|o|y|of|each|\\d)(?: |$))";
const alone =
  "(?! ?(?:{U}|hour|minute|th|of|kid|kids|child|children|people|person|year|old|appointment|appointments|question|questions|thing|things|doctor|doctors|daughters|sons|time|times|more|other|different|am|pm|percent|visits|refills)(?:\\b|$))";

/** After dates; each number left is an hour of the clock. */
export const timeRules: Rule[] = [
  rule(
    "(?:(?:very |real )?early|bright and early) (?:on |the )*({D})(?! (?:in the )?(?:morning|afternoon|evening))",
    (_, day) => `${day} morning`,
  ),
  rule("({D}) (?:(?:very |real )?early|bright and early)(?! (?:in the )?(?:morning|afternoon|evening))", (_, day) => `${day} morning`),
  rule("late (?:on )?({D})(?! (?:in|on|late|morning|afternoon|evening))", (state, day) =>
    daysFound(state, day!).either.every((one) => singleDay(one) !== undefined) ? `${day} late afternoon` : undefined,
  ),
  rule("({D}) late(?! (?:in|on|r|morning|afternoon|evening))", (_, day) => `${day} late afternoon`),
  rule("(early|late|mid) ({D}) (?:in the )?(morning|afternoon|evening)", (_, part, day, half) => `${day} ${part} ${half}`),
  rule("({H}(?::\\d\\d)?)-({H}(?::\\d\\d)?)", (_, a, b) => `from ${a} to ${b}`),
  rule(
    "({D}) (am|pm)|(?<=^)(am|pm)(?= ?$| please)",
    (_, day, half, alone) => `${day ?? ""} ${(half ?? alone) === "am" ? "morning" : "afternoon"}`,
  ),
  ...Object.entries(parts).map(([name, choice]) =>
    rule(`(?:in the |at |in |the |during the |sometime in the |for the )*(?:${name})(?: hour| time)?`, (state) => put(state, choice)),
  ),
  rule(`(?<!(?:from|between) (?:at )?)(5|10) to ({H})(?![:\\d])${alone}`, (state, minute, hour) => {
    const exact = clockOf(hour!)!;
    const near = { minutes: (exact.minutes - Number(minute) + noon) % noon, isEitherHalf: true };
    return put(state, { ...point(near), or: { from: clockOf(minute!)!, until: clockOf(hour!)! } });
  }),
  rule(`({H}) ([0-5]\\d)${alone}`, (state, hour, minute) => at(state, hour!, minute)),
  rule(`(1\\d|2[0-3]|0?\\d)([0-5]\\d)(?: hour|${followers})`, (state, hour, minute) => at(state, hour!, minute)),
  rule("(?:at )?(1[3-9]|2[0-3]) ([0-5]\\d)", (state, hour, minute) => at(state, hour!, minute)),
  rule("(?:at|after|before|around|until|by|than) (1[3-9]|2[0-3])(?! {U})", (state, hour) => {
    const time = at(state, hour!);
    return time && `at ${time}`;
  }),
  rule(`(?:${introduced}({H})|({H})${followers})${alone}`, (state, after, hour) => at(state, (after ?? hour)!)),
];
