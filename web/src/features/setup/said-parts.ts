const month =
  "(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)";
const number = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\d{1,2})";
const timeWords = [
  "(?:the day after )?tomorrow",
  "today|tonight|noon|mornings?|afternoons?|evenings?|weekends?",
  "(?:next |this |coming )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?",
  "(?:next|this|the following) (?:week|month)",
  `in (?:an? |a couple of |a few |${number} )?(?:days?|weeks?|months?)`,
  `${month}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?`,
  `\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}(?:,? \\d{4})?`,
  "\\d{4}-\\d{2}-\\d{2}|\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?",
  "\\d{1,2}(?::\\d{2})? ?(?:a\\.?m\\.?|p\\.?m\\.?)",
  `(?:at|around|after|before) ${number}(?::\\d{2})?(?: ?(?:o'?clock|a\\.?m\\.?|p\\.?m\\.?))?`,
  "\\d{1,2}:\\d{2}",
  `${number} o'?clock`,
  "as soon as possible|asap|first available|earliest|soonest",
];
const timeWord = new RegExp(`(?<![\\w/])(?:${timeWords.join("|")})(?![\\w/])`, "gi");
/** The tool reads no longer day. */
const maxWhen = 60;

/** From the first word of a day or time to the last; undefined without one. */
export function whenIn(said: string): string | undefined {
  const found = [...said.matchAll(timeWord)];
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return undefined;
  const all = said.slice(first.index, last.index + last[0].length);
  return all.length > maxWhen ? first[0] : all;
}

/** "the second one", "option two", "3" */
const ordinalWord =
  /(?<![\w/])(?:(?:the )?(?:first|second|third|fourth|last|1st|2nd|3rd|4th)(?: (?:one|time|slot|option))?|(?:option|number) (?:one|two|three|four|\d)|^\d$)(?![\w/])/i;
export const ordinalIn = (said: string): string | undefined => ordinalWord.exec(said)?.[0];

const fillers =
  /\b(?:hi|hello|hey|good morning|please|thanks?|thank you|um+|uh+|i|i'd|i'm|i'll|we|you|me|my|want|wanna|need|would|like|love|could|can|may|to|a|an|the|for|on|at|in|with|get|make|have|having|do|is|are|there|any|some|it|that|this|book(?:ing)?|appointments?|visit|visits|schedule|come|be|seen|see|openings?|slots?|open|available|free|time|times|what|when|and|or|of|your|new|another|how|about|if|possible|anything|just|so|then|cancel|call off|reschedule|move|change|next|upcoming)\b/gi;
export const doctor = /\b(?:dr\.?|doctor) [a-z][\w'-]*/i;

/** The words without `taken`: what the visit is for, as a model passes it on. undefined if they are words of any caller. */
export function restOf(said: string, taken: readonly (string | undefined)[]): string | undefined {
  const rest = taken.reduce<string>((left, part) => (part ? left.replace(part, " ") : left), said);
  return /[a-z]{3}/i.test(rest.replaceAll(fillers, " ")) ? rest.replaceAll(/\s+/g, " ").trim() : undefined;
}
