import { advice, answerIn, type Choice, type Open } from "./caller-answer.ts";
import { doctor, restOf, whenIn } from "./said-parts.ts";

/** A sentence of a caller; the tools read no longer ones. */
export const maxTyped = 200;

export const understood =
  "questions about the office (hours, address, parking, insurance), a visit (book, move, cancel, my appointments), a day or time, “the first one”, yes and no, a refill, “my insurance is ...”, a name with birth date and phone number or zip code, an emergency, and “I want to talk to a person”";

const word = (...names: string[]): RegExp => new RegExp(`\\b(?:${names.join("|")})\\b`, "i");

const goodbye = /^(?:(?:good ?)?bye|that'?s all|hang up)[.! ]*$/i;
const person = word(
  "(?:talk|speak) (?:to|with) (?:a |an |some|the )?(?:real )?(?:person|human|one|body|nurse|doctor|front desk|staff|representative|operator|manager)",
  "(?:put|transfer|connect) me",
  "call(?:ed)? me back",
  "call ?back",
);

const personAlone =
  /\b(?:some(?:one|body)|a (?:real |live )?person|a human|the front desk|an? operator|a representative)(?:,? please)?[.! ]*$/i;

const payer =
  "(?:aetna|anthem|bcbs|blue (?:cross|shield)|cigna|humana|kaiser|medicaid|medicare|oscar|tricare|uhc|united ?health ?care|united health)";
const takesInsurance = word(
  "(?:do|does|will|can|would) (?:you|they|the (?:office|clinic|doctor))(?: guys)?(?: all)? (?:take|accept)",
  "(?:are|is) (?:you|the (?:office|clinic|doctor)|dr\\.? \\w+) in[- ]network",
  "(?:which|what) insurances?",
);
const ownInsurance = [
  new RegExp(`\\bmy (?:health )?(?:insurance|insurer|plan|coverage)(?: company| plan)?(?: is|'s)(?: with| through)? (?<payer>[^?]+)$`, "i"),
  new RegExp(`\\b(?:i have|i've got|i'm with|i am with|i'm insured (?:with|by|through)) (?<payer>${payer}[^?]*)$`, "i"),
  /\bmy member (?:id|number)(?: is|:)? (?<member>[\w -]*\d[\w -]*)/i,
  /\b(?:check|verify|confirm|look up) my (?:insurance|coverage|plan)\b/i,
  /\bis my (?:insurance|coverage|plan) (?:still )?(?:active|valid|current|good|on file|in force)\b/i,
  /\b(?:what|which) (?:insurance|coverage|plan) (?:do you have|is) on file(?: for me)?/i,
];

const medications = [
  /\bhow many refills (?:do i have|are)(?: left)?(?: (?:on|of|for) (?:my )?(?<drug>[a-z][\w-]+(?: \d+ ?(?:mg|mcg|ml))?))?(?: left)?/i,
  /\b(?:what|which) (?:medications?|medicines?|meds|pills|prescriptions?) (?:am i (?:taking|on)|do i (?:take|have))\b/i,
  /\bwhen (?:was|did) (?:my|i) (?:last refill|(?:last )?refill|get my last refill)(?: (?:of|for) (?:my )?(?<drug>[a-z][\w-]+))?/i,
];
const refill = word(
  "refill(?:s|ed|ing)?",
  "renew(?:al)?(?: of)? (?:my|a|the) \\w+",
  "(?:(?:ran|running|run|almost|nearly) out of|i'm(?: almost| nearly)? out of|need (?:some )?more(?: of)?) my",
);
const drugName =
  "(?!(?:medications?|medicines?|meds|pills?|prescriptions?|drugs?|tablets|refills?)\\b)[a-z][\\w-]{2,}(?: \\d+ ?(?:mg|mcg|ml))?";
/** Not "blood" of "blood pressure pills". */
const end = "(?= *(?:please|and|for|today|now|soon|because|since|but)\\b| *$| *[,.;?!])";
const refilled = [
  new RegExp(`\\b(?:refills?|renewal)(?: (?:of|for|on))?(?: (?:my|the))? (?<drug>${drugName})${end}`, "i"),
  new RegExp(`\\b(?:renew|out of|more(?: of)?)(?: (?:my|the))? (?<drug>${drugName})${end}`, "i"),
  new RegExp(`\\b(?:my|the) (?<drug>${drugName}) (?:refilled|renewed|refill|prescription)`, "i"),
];
const notADrug = /^(?:please|for|and|today|tomorrow|now|soon|request|of|on|my|the|me|because|since|but|that|this|with|as)$/i;

const cancel = word("cancel", "call off");
const move = word(
  "reschedule",
  "move (?:my|the|it)",
  "change (?:my|the) (?:appointment|visit|time)",
  "another (?:day|time) for my",
  "(?:can't|cannot|can not) (?:make|come to|keep) my (?:\\w+ )?(?:appointment|visit)",
);
const list = word(
  "(?:when|where|what time|what day|which|confirm|check|look up|list|tell me)\\b.*\\bmy (?:next |upcoming )?(?:appointments?|visits?)",
  "do i have (?:an |any )?(?:upcoming )?(?:appointments?|visits?)",
  "(?:what|which) (?:appointments?|visits?) do i have",
);
const booking = word(
  "book(?:ing)?",
  "(?<!your |office |holiday )schedule",
  "(?:make|set up) an? (?:\\w+ ){0,2}(?:appointment|visit)",
  "(?<!do i )(?:need|want|like|get|have) (?:to (?:make|get|have|set up|come in for) )?(?:an?|another|the next) (?:\\w+ ){0,2}(?:appointment|visit|check-?up|physical)",
  "openings?(?! hours?\\b| times?\\b)",
  "slots?",
  "be seen",
  "come in",
  "see (?:a|the|my) (?:doctor|nurse)",
  "see (?:dr\\b|doctor)",
  "(?:anything|something) (?:open|available)",
  "(?:open|available) (?:appointments?|slots?)",
);
const office = word(
  "hours?",
  "opening times?",
  "open",
  "clos(?:e|es|ed|ing)",
  "how late",
  "holidays?",
  "address",
  "where",
  "located",
  "locations?",
  "directions?",
  "get there",
  "park(?:ing)?",
  "phone number",
  "fax",
  "e-?mail",
  "website",
  "insurances?",
  "in[- ]network",
  payer,
  "co-?pays?",
  "prices?",
  "costs?",
  "how much",
  "bring",
  "languages?",
  "spanish",
  "telehealth",
  "video",
  "walk-?ins?",
  "new patients?",
  "wheelchairs?",
  "after hours",
);
const visit = word("appointments?", "visits?", "schedule", "check-?up", "physical", "another (?:day|time)");

/** The tool reads no longer purpose of a visit. */
const maxService = 120;

const given = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));

const askedOfOffice = (said: string, note?: string): Choice => ({
  kind: "tool",
  name: "getOfficeInfo",
  values: { topic: said },
  open: { kind: "question", words: said },
  ...(note ? { note } : {}),
});

/** "my visit on Monday to Friday morning": the day of the visit, and the one that it is moved to. */
function daysOfMove(said: string): { date: string | undefined; appointmentDate: string | undefined } {
  const [before, after] = said.replace(/^.*?(?=\b(?:reschedule|move|change)\b)/i, "").split(/\bto\b(?!.*\bto\b)/i);
  const date = after === undefined ? undefined : whenIn(after);
  if (date !== undefined) return { date, appointmentDate: whenIn(before ?? "") };
  const when = whenIn(said);
  return /\bmy\b.*\b(?:appointment|visit)\b/i.test(said)
    ? { date: undefined, appointmentDate: when }
    : { date: when, appointmentDate: undefined };
}

/** No word is left out, so that the tool hears an emergency also in these. */
function ofVisit(action: "find" | "list" | "cancel" | "reschedule", said: string): Choice {
  const when = whenIn(said);
  const days = action === "reschedule" ? daysOfMove(said) : { [action === "cancel" ? "appointmentDate" : "date"]: when };
  const practitioner = doctor.exec(said)?.[0];
  const service = restOf(said, [...Object.values(days), practitioner]);
  if ((service ?? "").length > maxService) return askedOfOffice(said, `This page found too much in these words. ${advice}`);
  const values = given({ action, ...days, practitioner, service });
  const changesRecord = action === "cancel" || action === "reschedule";
  const booking = { action: "book", date: when ?? "" };
  const open: Open = { kind: "yes", tool: { kind: "tool", name: "scheduleAppointment", values: booking, changesRecord: true } };
  return {
    kind: "tool",
    name: "scheduleAppointment",
    values,
    ...(action === "find" && when !== undefined ? { open } : {}),
    ...(changesRecord ? { changesRecord } : {}),
  };
}

const toPerson = (said: string): Choice => ({
  kind: "tool",
  name: "logRoutingEvent",
  values: { reason: said, outcome: /call ?(?:me )?back/i.test(said) ? "callback" : "transferred" },
});

const trimmed = (text: string | undefined): string | undefined => text?.replace(/[\s.!,]+$/, "");

/** A tool that takes a part of the words; with other words beside it, they go to the tool for any question. */
const ofPart =
  (
    name: string,
    patterns: readonly RegExp[],
    valuesOf: (groups: Record<string, string | undefined>) => Record<string, string | undefined>,
  ) =>
  (said: string): Choice | undefined => {
    const match = patterns.map((one) => one.exec(said)).find((one) => one !== null);
    if (!match) return undefined;
    const isWhole = restOf(said, [match[0]]) === undefined;
    return isWhole ? { kind: "tool", name, values: given(valuesOf(match.groups ?? {})) } : askedOfOffice(said);
  };

function ofRefill(said: string): Choice | undefined {
  if (!refill.test(said)) return undefined;
  const drug = refilled.map((one) => one.exec(said)?.groups?.["drug"]).find((one) => one !== undefined && !notADrug.test(one));
  const values = given({ category: "refill_request", message: said, medicationName: drug });
  return { kind: "tool", name: "sendCommunicationFhir", values, changesRecord: true };
}

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

type Rule = (said: string) => Choice | undefined;
const when =
  (words: RegExp, choose: (said: string) => Choice): Rule =>
  (said) =>
    words.test(said) ? choose(said) : undefined;

/** The first that fits is taken. */
const rules: readonly Rule[] = [
  when(goodbye, () => ({ kind: "none", note: "Nothing was sent: the caller hangs up with “End test call”." })),
  claimIn,
  when(person, toPerson),
  when(personAlone, toPerson),
  ofPart("getMedicationHistoryFhir", medications, ({ drug }) => ({ medicationName: drug })),
  ofRefill,
  when(takesInsurance, askedOfOffice),
  ofPart("verifyInsurance", ownInsurance, (found) => ({ payerName: trimmed(found["payer"]), memberId: trimmed(found["member"]) })),
  when(cancel, (said) => ofVisit("cancel", said)),
  when(move, (said) => ofVisit("reschedule", said)),
  when(list, (said) => ofVisit("list", said)),
  when(booking, (said) => ofVisit("find", said)),
  when(office, askedOfOffice),
  when(word("my (?:next |upcoming )?(?:appointments?|visits?)"), (said) => ofVisit("list", said)),
  when(visit, (said) => ofVisit("find", said)),
  (said) => (whenIn(said) ? ofVisit("find", said) : undefined),
];

/**
 * Chooses as an agent's model would, by words alone and in English. Words that it does not know go to the tool for any question, which
 * also knows the office's own questions and hears an emergency.
 */
export function choiceOf(typed: string, open?: Open): Choice {
  const said = typed.trim().replaceAll("’", "'");
  const answer = answerIn(said, open);
  if (answer) return answer;
  for (const rule of rules) {
    const choice = rule(said);
    if (choice) return choice;
  }
  return askedOfOffice(said, `This page did not understand these words. ${advice}`);
}
