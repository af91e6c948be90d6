import { dayIn } from "@vitaline/core";
import { wishesOf } from "./clauses/after-that.ts";
import { afterThat, clausesOf } from "./clauses/clauses.ts";
import type { Said } from "./clauses/pieces.ts";
import { isRestClear, type Refusal, without } from "./clauses/refusals.ts";
import { dateRules, dayOfMonthRules } from "./rules/date-rules.ts";
import { applyRules, type ParseState, type UtteranceContext, wholeWords } from "./parse-state/parse-state.ts";
import { acrossPauses } from "./across-pauses.ts";
import { plainEnglish } from "./english.ts";
import { anySpanishWeekday, anyWeekday, partsIn } from "../calendar.ts";
import type { Language } from "../numbers.ts";
import { languageOf, plainText } from "./plain-text.ts";
import { fromSpanish } from "./spanish/from-spanish.ts";
import { timeRelations } from "./rules/time-relations.ts";
import { clockRules, edgeRules, timeRules } from "./rules/time-rules.ts";
import { dateRelations } from "./rules/date-relations.ts";
import { weekRules } from "./rules/week-rules.ts";
import { weekdayRules } from "./rules/weekday-rules.ts";
import { relativeRules } from "./rules/relative-rules.ts";
import { anyReading, readingsIn, unknown, type WhenReading } from "./parse-state/reading.ts";
import { found } from "./day-choice.ts";
import { combined } from "./combine.ts";
import { corrected, corrections, inSameMonth, type Part } from "./corrections.ts";

const weekday = new RegExp(`(?<= |^)(?:${anyWeekday}|${anySpanishWeekday})(?= |$)`, "g");
const other =
  /(?<=(?:,|;|mejor|pero|sino|entonces|but|so|maybe) )(?:en )?(?:(?:el|la) (?:otr[oa]|siguiente|proxim[oa]|que (?:viene|sigue|entra))|(?:the )?(?:next|following|other) one|the one after(?: that)?)(?= ,|$| (?:en|por|a|in|at|please|esta|si|me|puedo|works|is|would|i|on)(?: |$))/;

const nextWeek = (said: string): string => (said.includes("semana") ? "la semana que viene" : "next week");
const afterNext = (day: string): string => (day.endsWith("day") ? `${day} after next` : `el ${day} no el siguiente`);

/** "I can't this week, the other one is fine" is next week. */
const namingTheOther = (plain: string): string =>
  plain.replace(other, (said, at: number) => {
    const before = plain.slice(0, at);
    if (
      /(?<= |^)not?(?: es)?(?: (?:este|esta|el|la|this|the|coming|week|semana|que|viene|[a-z]+day|[a-z]+es|sabado|domingo))* ,? ?(?:sino |but )?$/.test(
        before,
      )
    )
      return said;
    const days = [...before.matchAll(weekday)].map(([name]) => name);
    const isWeek = /(?<= |^)(?:this week|(?:est[ae]|la) (?:misma )?semana)(?= |$)/.test(before);
    if (days.length > 1 || (days.length === 1) === isWeek) return said;
    return days[0] === undefined ? nextWeek(before) : afterNext(days[0]);
  });

const appointment = "(?:appointment|slot|time|opening|date|day|spot|1)";
/** Said of a day and a time: any will do, or the first there is. */
const phrases = [
  "(?:any ?time|any day|any date|any old time)(?! but| except| other than| besides)",
  "anything(?: (?:at all|goes|works|is (?:fine|good|ok|great)|you (?:got|have)|thats (?:open|available)|available|open))?(?= ?$)",
  "(?:what ?ever|when ?ever|wherever|which ?ever)(?! (?:my|she|he|they|time|it rains|its (?:raining|clear|dry|nice|warm|light|not))(?: |$)| that(?: is)? ?$)(?: (?:day|time))?(?: (?:you|yall|is|s|works|its|suits|they|there|1 is|doctors?|dr|thats)(?: (?!in the|morning|afternoon|evening|before|after|early|late)[a-z]+)*(?: 1th)?)?",
  "whatevers [a-z]+(?: for (?:you|yall|them|every ?body))?|when ?evers (?:good|fine|easiest|best|convenient|open|available)(?: for (?:you|yall|them))?",
  "how (?:soon|quick|quickly|fast|early) (?:can|could|would|will|do) (?:you|i|we|yall|he|she|they)(?: (?:guys|all|get|see|fit|squeeze|take|work|come|be|have|me|us|him|her|in|seen|it))*|sooner rather than later|(?:the )?(?:sooner|earlier|quicker|faster) the better|(?:as )?(?:soon|quick|quickly|early) as (?:\\w+ )?(?:possible|(?:you|i|we|yall) can|you have|you got|youve got)|(?:earlier|sooner) is better|as soon as (?:you|i|we|yall) can|asap|right away|immediately",
  `(?:the )?(?:earliest|soonest|1th|next|1)(?: (?:available|open|free|possible))+(?: ${appointment})?`,
  `(?<!at |at the )(?:the |your )?(?:earliest|soonest)(?: (?:appointment|slot|time|opening|date|day|you have|you got|yall got|you can|1))*`,
  "(?:the )?(?:1th|next) (?:opening|appointment)(?: you (?:have|got))?|(?:the )?1th (?:thing|1|spot|slot) (?:you|yall) (?:have|got)",
  "(?:1th|next|earliest|soonest) (?:day|date|time|spot) (?:you (?:have|got|can)|available|open|thats open|possible)",
  "(?:it |that |which )?(?:does ?nt|does not|do ?nt|did ?nt|aint) (?:really |much |even )?(?:matter|make (?:no|any|a) (?:difference|never ?mind))(?: (?:to|for) (?:me|us))?(?: (?:when|what (?:day|time)|which))?|makes no difference|makes me no never ?mind",
  "(?:i )?do ?nt (?:really )?have (?:a|any|much of a) (?:real )?preference|no (?:real )?preference|(?:i )?do ?nt (?:really )?care(?: (?:about )?(?:what|which|the) (?:day|date|time)| when)?|(?:its )?(?:all |its )+the same to me|not (?:picky|particular)|aint (?:picky|particular)|im easy",
  "im (?:pretty |totally |real |wide |super )?(?:flexible|open)(?= ?$)|^flexible|(?:wide|all) open|nothing but time|free as a bird",
  "(?:you|yall) (?:pick|choose|decide|tell me|just pick|call it)(?: (?:it|1|1 for me|for me|the (?:day|time)))?|your (?:pick|choice|call)|(?:ill |im |i )?(?:leave |leaving )?(?:it |that )?(?:up )?to (?:you|yall)(?= ?$)|up to (?:you|yall)|dealers choice|surprise me",
  "(?:just )?(?:put|get|fit|squeeze|work|stick|pencil) (?:me|us|him|her) (?:down |in )*(?:somewhere|some ?place|where ?ever|when ?ever)?(?: you can| when you can)?(?= ?$)",
  "(?:i can (?:come|do)|i could (?:come|do)|im (?:free|available|here|home|around)|come in) (?:any ?time|when ?ever|all (?:day|week)(?: long)?|every ?day)",
];

const noPreference = wholeWords(phrases.join("|"));

/** Said as "no", but refusing nothing. */
const idioms =
  /(?<= |^)(?:(?:does|do|did)(?: ?nt| not) (?:really )?(?:matter|care|mind|know)|not (?:too |very |really )*(?:picky|particular|fussy|choosy|sure)|no (?:me )?importa|no preference|but(?= (?:not|never|no|i cant|im not|cant|i wont|i dont|dont|i couldnt)(?: |$))|pero(?= no))(?= |$)/g;
const negations =
  /(?<= |^)(?:no|not|nt|cant|cannot|wont|couldnt|wouldnt|dont|doesnt|isnt|arent|aint|nothing|none|never|without|but|except|besides|other than|forget|scratch|skip|bad|tough|hard|full|out|impossible|imposible|mal|menos|excepto|salvo|nada|ningun[oa]?|nunca|sin|sino)(?= |$)/g;
/** Questions, conditions and what others said. */
const doubtful =
  /^(?:is|are|was|why|did|do you|does|theres|there is)(?= )|(?<= |^)(?:cancel[a-z]*|soon enough|(?:no|not an?) (?:hay )?(?:problema?|issue)|reason|thought|you said|told me|mas que|me diga|unless|whether|(?:if|si) (?!i can help|i can avoid|(?:its |at all |es )*pos+ible|se puede|you do ?nt mind|no le importa|thats (?:ok|alright|fine)))/;

/** At most one "no": "any day but Friday", not "I can't do any day but Friday" or "if you can't do Monday then Tuesday". */
const isClearExclusion = (plain: string): boolean =>
  !doubtful.test(plain) && (plain.replace(idioms, " ").match(negations)?.length ?? 0) <= 1;

/** Words that turn a reading into another where no rule has read them. */
const reversing = wholeWords(
  "do i have to|tengo que esperar|hay que esperar|(?:cancel|cancel(?:ing|ling|ed|led)|cancel(?:ar|o|e|en|arme|arla)|cancele)(?: (?:my|the|our|his|her|mi|su|an?|1|appointment|visit|cita|on|for|of|de|at|this|next|it|that))* (?:{D}|{T})|(?:is|are|be|its) (?:a )?(?:really |so |just )*(?:terrible|awful|horrible|dreadful|rough|tricky|my (?:\\w+ )?(?:wedding|funeral|graduation|anniversary))|(?:wedding|funeral)|(?:i|we) fly|boda|funeral|festivo|feriado|viajo|viajamos|me operan|de vacaciones|se complica|does ?nt (?:work|suit|fit)|does not (?:work|suit|fit)|wo ?nt work|avoid|skip|without|rather than|everything but|fully? booked|is full|day off|(?:i|we) work|im working|(?:visit|appointment|one|cita) was|trabajo|trabajamos|evitar|menos|salvo|excepto|no puedo|impossible|while|busy|out of town|unavailable|no good|bad|booked|ocupad[oa]|any ?(?:time|day|date) (?:but|other|besides)|not|except|antes|despues|anything but|any day but|any ?time but|other than|besides|instead of|never|cannot|cant|dont|do not|wont|unless|before|after|until|between|birthday|every other|ago|either side|same day|what time (?:do|does|are|is) (?:you|the|yall)(?: [a-z]+)? (?:open|close)|how late (?:are|do)|a que (?:hora|hour) (?:abren?|cierran?)",
);

/** "¿Los sábados no abren?", "aren't you open Saturdays?", "nothing tomorrow?" say nothing of what suits. */
const questions = [
  /^(?:.*[,.;¿] *)?[^?,.;]*(?:\bno (?:abren|atienden|trabajan|est[aá]n abiertos|hay citas?)|(?:\b(?:are|do|is)n[’']?t|\byou[’']?re not)\b[^?,.;]*\b(?:open|closed))\b[^?,.;]*(?:, ¿?(?:verdad|cierto|no|right|correct|are you|do you))?\?$/u,
  /^(?:(?:so|oh|and|y|ay|entonces),? )?¿?(?:nothing|there(?:[’']?s| is) nothing|you (?:have nothing|don[’']?t have anything)|nada|no (?:hay|tienen?) nada)\b[^?,.;]*\?$/,
];
const isQuestion = (text: string): boolean => questions.some((pattern) => pattern.test(text.trim().toLowerCase()));

/** Longer than any such phrase. */
const maxLength = 200;

export function readWhen(text: string, context: UtteranceContext): WhenReading {
  if (text.length > maxLength || isQuestion(text)) return unknown;
  const plain = acrossPauses(namingTheOther(plainText(text)));
  const language = languageOf(plain);
  if (language) return readIn(language, plain, context);
  const hint = context.language ?? "en";
  const read = readIn(hint, plain, context);
  return read.kind === "unknown" ? readIn(hint === "en" ? "es" : "en", plain, context) : read;
}

function readIn(language: Language, plain: string, context: UtteranceContext): WhenReading {
  const [first = "", ...later] = plain
    .split(corrections)
    .map((part) => part.trim())
    .filter(Boolean);
  const today = dayIn(context.timeZone, context.now);
  return later.reduce(
    (read, part, at) => corrected(read, readPart(inSameMonth(part, later[at - 1] ?? first), language, context), today),
    readPart(first, language, context),
  ).reading;
}

function draftOf(text: string, context: UtteranceContext): ParseState {
  const { hour, minute } = partsIn(context.timeZone, context.now);
  return { text, days: [], times: [], today: dayIn(context.timeZone, context.now), minutes: hour * 60 + minute, context };
}

const conclusion = / (?:so|then|asi que|entonces|por eso|o sea que)(?= (?!that |then |much |bad |far |long |after that|before that))/g;
const condition = /(?<= |^)(?:if|unless|when|whenever|si|cuando|or|o) /;

/** What follows the last "so", where the reasons before it are not understood. */
function concluded(plain: string, language: Language, context: UtteranceContext): Part | undefined {
  const last = [...plain.matchAll(conclusion)].at(-1);
  if (!last) return undefined;
  const [before, after] = [plain.slice(0, last.index), plain.slice(last.index + last[0].length).trim()];
  if (condition.test(before) || afterThat.test(after)) return undefined;
  const [reasons, end] = [before, after].map((text) => saidIn(draftFrom(text, language, context).state));
  if (!end!.day && (!end!.time || reasons!.day)) return undefined;
  // "Bible study is Wednesday nights, so Wednesday during the day".
  const isSameDay = [...after.matchAll(weekday)].some(([name]) => before.includes(name));
  if (reasons!.time && !end!.time && (!reasons!.day || isSameDay)) return undefined;
  const part = readPart(after, language, context);
  return part.reading.kind === "unknown" || part.isRefusal ? undefined : part;
}

const saidIn = ({ text }: ParseState): Said => ({ day: /(?<!\w)d\d/.test(text), time: /(?<!\w)t\d/.test(text) });

function readPart(plain: string, language: Language, context: UtteranceContext): Part {
  const part = readClauses(plain, language, context);
  return part.reading.kind === "unknown" && !part.isRefusal ? (concluded(plain, language, context) ?? part) : part;
}

function readClauses(plain: string, language: Language, context: UtteranceContext): Part {
  const drafts = new Map<string, ParsedWords>();
  const read = (text: string): ParsedWords => {
    const draft = drafts.get(text) ?? draftFrom(text, language, context);
    drafts.set(text, draft);
    return draft;
  };
  const clauses = clausesOf(plain, language, (text) => saidIn(read(text).state));
  if (!clauses) return { reading: unknown, isEmpty: false };
  const refusals = clauses
    .filter(({ kind }) => kind === "refusal")
    .map(({ cue, text }) => ({ cue, words: read(text) }))
    .filter(({ words: { state } }) => /\d/.test(state.text))
    .map(({ cue, words }) => refusalIn(words, cue));
  // "I can't do the third, the fourth": one refused and one wished, or both refused.
  if (clauses.some(({ kind, text }) => kind === "refusal" && isTwoDays(read(text).state))) return { reading: unknown, isEmpty: false };
  const wishes = wishesOf(
    clauses,
    language,
    (text) => readingsIn(readWords(read(text))).filter(({ dates, time, window }) => dates || time !== undefined || window),
    (text) => saidIn(read(text).state),
  );
  const said = read(wishes);
  const wish = refusals.length === 0 && isEarly(said.state.text) ? read(language === "es" ? "en la manana" : "in the morning") : said;
  const isEmpty = !wish.isAny && !/[\d]/.test(wish.state.text);
  const isRest = isEmpty && isRestClear(wish.state.today, refusals);
  return {
    reading: without(isRest ? anyReading : readSurely(wish), refusals, isClearExclusion(plain) ? wish.state.today : undefined),
    isEmpty: isEmpty && refusals.length === 0,
    isRefusal: isEmpty && refusals.length > 0,
  };
}

/** "It has to be early", "temprano por favor". */
const isEarly = (text: string): boolean =>
  /(?<= |^)early(?= |$)/.test(text) &&
  !/\d|(?<= |^)(?:nt|not?|too(?= early)|why|how|as|mas|muy|que tan|or|if|late|later|until|up|off|out|enough|open|close|get|wake|abren|cierran|salgo|levanto|than)(?= |$)/.test(
    text,
  );

function isTwoDays({ text, days }: ParseState): boolean {
  const [, a, b] = /(?<!\w)d(\d+) (?:the )?d(\d+)/.exec(text) ?? [];
  return a !== undefined && JSON.stringify(days[Number(a)]) !== JSON.stringify(days[Number(b)]);
}

/** "Not Friday" is none of the Fridays, "not this Friday" only that one. */
function refusalIn(words: ParsedWords, cue: string): Refusal {
  const { text, days } = words.state;
  const all = found(text, "d", days);
  const ranges = all.flatMap(({ either }) => either.flatMap((one) => one.ranges));
  const isDaysOnly = all.length > 1 && !/(?<!\w)t\d|(?<![dt\d])\d/.test(text);
  return {
    reading: isDaysOnly ? { kind: "reading", dates: ranges, isApproximate: false } : readWords(words),
    cue,
    weekdays: words.isOneWeekday ? [] : all.flatMap(({ weekdays = [] }) => weekdays),
  };
}

/** `isAny`: no preference was said. `isOneWeekday`: this one or the next. */
type ParsedWords = { state: ParseState; isAny: boolean; isOneWeekday: boolean };

function draftFrom(plain: string, language: Language, context: UtteranceContext): ParsedWords {
  const state = draftOf(language === "es" ? plainEnglish(fromSpanish(plain)) : plainEnglish(plain), context);
  for (const rules of [edgeRules, clockRules, dateRules, dayOfMonthRules, relativeRules, weekRules, weekdayRules, dateRelations])
    applyRules(state, rules);
  const isAny = state.text.search(noPreference) >= 0;
  state.text = state.text.replace(noPreference, " ").replace(/ {2,}/g, " ");
  applyRules(state, timeRules);
  applyRules(state, timeRelations);
  return { state, isAny, isOneWeekday: /\b(?:this|next|coming|last|est[ea]|proxim[oa]|que viene)\b/.test(plain) };
}

const readWords = ({ state, isAny }: ParsedWords): WhenReading => (isAny && !/\d/.test(state.text) ? anyReading : combined(state));
/** "Any afternoon of that week": the days are not known. */
const isDayUnsaid = (text: string): boolean => /(?<!\w)(?:week|month)(?!\w)/.test(text) && !/(?<!\w)d\d/.test(text);
/** Unknown where a word that no rule has read can reverse or limit it. */
const readSurely = (words: ParsedWords): WhenReading =>
  words.state.text.search(reversing) >= 0 || isDayUnsaid(words.state.text) ? unknown : readWords(words);
