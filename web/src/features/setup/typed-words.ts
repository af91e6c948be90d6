/** What the caller's last words left open, for a yes or no that comes next. */
export type Open = { kind: "time"; when: string } | { kind: "question"; words: string };

type Tool = { kind: "tool"; name: string; values: Record<string, string>; open?: Open; changesRecord?: true; note?: string };
/** For words that the user typed: a tool with arguments as a model would give them, or a sentence of this page. `note`: shown if the tool asks back. */
export type Choice = Tool | { kind: "none"; note: string };

/** A sentence of a caller; the tools read no longer ones. */
export const maxTyped = 200;

export const understood =
  "questions about the office (hours, address, parking, insurance), a visit (book, move, cancel, my appointments), a day or time, yes and no, a name with birth date and phone number or zip code, an emergency, and “I want to talk to a person”";

const advice = "Try the office’s hours, an appointment, a day and time, yes or no, or “I want to talk to a person”.";

const word = (...names: string[]): RegExp => new RegExp(`\\b(?:${names.join("|")})\\b`, "i");

const person = word(
  "(?:talk|speak) (?:to|with) (?:a |an |some|the )?(?:person|human|one|body|nurse|doctor|front desk|staff|representative|operator|manager)",
  "(?:some(?:one|body)|a (?:real )?person|a human|the front desk|an? operator|a representative)(?: please)?$",
  "(?:put|transfer|connect) me",
  "call(?:ed)? me back",
  "call ?back",
);
const cancel = word("cancel", "call off");
const move = word("reschedule", "move (?:my|the|it)", "change (?:my|the) (?:appointment|visit|time)", "another time");
const list = word("my (?:next |upcoming )?(?:appointments?|visits?)", "do i have (?:an |any )?(?:appointments?|visits?)");
const visit = word(
  "appointments?",
  "book(?:ing)?",
  "schedule",
  "openings?",
  "slots?",
  "be seen",
  "see (?:a|the|my) (?:doctor|nurse)",
  "check-?up",
);
const office = word(
  "hours?",
  "open",
  "clos(?:e|es|ed|ing)",
  "holidays?",
  "address",
  "where",
  "located",
  "directions?",
  "park(?:ing)?",
  "phone number",
  "e-?mail",
  "insurances?",
  "medicare",
  "medicaid",
  "prices?",
  "costs?",
  "how much",
  "bring",
  "languages?",
  "telehealth",
  "video",
  "after hours",
);
const yes = /^(?:yes|yeah|yep|sure|ok(?:ay)?|please do|that works|sounds good|yes[, ]+please)[.! ]*$/i;
const no = /^(?:no|nope|no[, ]+thanks?|no[, ]+thank you|not really)[.! ]*$/i;
const goodbye = /^(?:(?:good ?)?bye|that'?s all|hang up)[.! ]*$/i;

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
  "as soon as possible|asap|first available|earliest|soonest",
];
const timeWord = new RegExp(`(?<![\\w/])(?:${timeWords.join("|")})(?![\\w/])`, "gi");
/** The tool reads no longer day. */
const maxWhen = 60;

/** From the first word of a day or time to the last; undefined without one. */
function whenIn(said: string): string | undefined {
  const found = [...said.matchAll(timeWord)];
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return undefined;
  const all = said.slice(first.index, last.index + last[0].length);
  return all.length > maxWhen ? first[0] : all;
}

const fillers =
  /\b(?:hi|hello|hey|good morning|please|thanks?|thank you|um+|uh+|i|i'd|i'm|i'll|we|you|me|my|want|wanna|need|would|like|love|could|can|may|to|a|an|the|for|on|at|in|with|get|make|have|having|do|is|are|there|any|some|it|that|this|book(?:ing)?|appointments?|visit|visits|schedule|come|be|seen|see|openings?|slots?|available|free|time|times|what|when|and|or|of|your|new|another|how|about|if|possible|anything|just|so|then|cancel|call off|reschedule|move|change|next|upcoming)\b/gi;
const doctor = /\b(?:dr\.?|doctor) [a-z][\w'-]*/i;

/** The tool reads no longer purpose of a visit. */
const maxService = 120;

/** The words without `taken`: what the visit is for, as a model passes it on. undefined if they are words of any caller. */
function restOf(said: string, taken: readonly (string | undefined)[]): string | undefined {
  const rest = taken.reduce<string>((left, part) => (part ? left.replace(part, " ") : left), said);
  return /[a-z]{3}/i.test(rest.replaceAll(fillers, " ")) ? rest.replaceAll(/\s+/g, " ").trim() : undefined;
}

const given = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** Whether a yes answers the last sentence: not "Which would you like?". */
export const isYesOrNo = (speech: string): boolean =>
  /(?:^|[.!?]\s+)(?!which|what|when|who|where|how|may i have)[^.!?]*\?$/i.test(speech.trim());

/**
 * What a yes would now mean. Beyond its question a time stays open while the caller is verified for it.
 */
export function openAfter(before: Open | undefined, { name, open, values }: Tool, speech: string): Open | undefined {
  if (name === "verifyPatientIdentity") return before;
  return isYesOrNo(speech) || values["action"] === "book" ? open : undefined;
}

/** No word is left out, so that the tool hears an emergency also in these. */
function ofVisit(action: "find" | "list" | "cancel" | "reschedule", said: string): Choice {
  const [when, practitioner] = [whenIn(said), doctor.exec(said)?.[0]];
  const service = restOf(said, [when, practitioner]);
  if ((service ?? "").length > maxService)
    return askedOfOffice(said, `This page found too much in these words, and the tool for any question has no answer. ${advice}`);
  const values = given({ action, [action === "cancel" ? "appointmentDate" : "date"]: when, practitioner, service });
  const open: Open | undefined = action === "find" && when !== undefined ? { kind: "time", when } : undefined;
  const changesRecord = action === "cancel" || action === "reschedule";
  return { kind: "tool", name: "scheduleAppointment", values, ...(open ? { open } : {}), ...(changesRecord ? { changesRecord } : {}) };
}

const askedOfOffice = (said: string, note?: string): Choice => ({
  kind: "tool",
  name: "getOfficeInfo",
  values: { topic: said },
  open: { kind: "question", words: said },
  ...(note ? { note } : {}),
});

const fewestDigits = 7;
/** "Maria Lopez, March 4, 1985, 617 555 0142", with or without "my name is" and "born". */
function claimIn(said: string): Choice | undefined {
  const [named = "", ...others] = said.split(",").map((part) => part.trim());
  const last = others.pop()?.replace(/^(?:phone|number|zip(?: code)?|my [a-z ]+ is)\s*/i, "") ?? "";
  const digits = last.replaceAll(/\D/g, "");
  const [firstName, ...lastNames] = named.replace(/^(?:hi|hello)?\s*(?:my name is|this is|i am|i'm|it's)?\s*/i, "").split(/\s+/);
  const dateOfBirth = others.join(", ").replace(/^(?:i was )?born (?:on )?/i, "");
  const isPhone = digits.length >= fewestDigits;
  if (!firstName || lastNames.length === 0 || dateOfBirth === "" || !(isPhone || digits.length === 5) || /[a-z]/i.test(last))
    return undefined;
  const factor: Record<string, string> = isPhone ? { phoneNumber: last } : { zipCode: digits };
  return { kind: "tool", name: "verifyPatientIdentity", values: { firstName, lastName: lastNames.join(" "), dateOfBirth, ...factor } };
}

/** Yes to what was open. No tool is run for a no. */
function answerTo(open: Open | undefined, isYes: boolean): Choice {
  if (!open)
    return {
      kind: "none",
      note: `Nothing was sent: the agent’s last sentence left nothing open that yes or no answers here. ${advice}`,
    };
  if (!isYes) return { kind: "none", note: "Nothing was sent: no tool runs for a no. Type another day or time, or another question." };
  return open.kind === "time"
    ? { kind: "tool", name: "scheduleAppointment", values: { action: "book", date: open.when }, open, changesRecord: true }
    : { kind: "tool", name: "logRoutingEvent", values: { reason: open.words, outcome: "callback" } };
}

/**
 * Chooses as an agent's model would, by words alone and in English. Words that it does not know go to the tool for any question, which
 * also knows the office's own questions and hears an emergency.
 */
export function choiceOf(typed: string, open?: Open): Choice {
  const said = typed.trim().replaceAll("’", "'");
  if (yes.test(said) || no.test(said)) return answerTo(open, yes.test(said));
  if (goodbye.test(said)) return { kind: "none", note: "Nothing was sent: the caller hangs up with “End test call”." };
  const claim = claimIn(said);
  if (claim) return claim;
  if (person.test(said))
    return {
      kind: "tool",
      name: "logRoutingEvent",
      values: { reason: said, outcome: /call ?(?:me )?back/i.test(said) ? "callback" : "transferred" },
    };
  if (cancel.test(said)) return ofVisit("cancel", said);
  if (move.test(said)) return ofVisit("reschedule", said);
  if (list.test(said)) return ofVisit("list", said);
  if (visit.test(said)) return ofVisit("find", said);
  if (office.test(said)) return askedOfOffice(said);
  if (whenIn(said)) return ofVisit("find", said);
  return askedOfOffice(said, `This page did not understand these words, and the tool for any question has no answer. ${advice}`);
}
