import { factLists, type FactList, type OfficeFactsChange } from "@vitaline/contract";
import { effectiveFacts, hoursOf } from "@vitaline/offices";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import { normalizeName } from "../nlu/names.ts";
import { type OfficeTopic, officeTopics, readOfficeTopics } from "../nlu/office-topics.ts";
import { linesAbout, questionAbout, wordsIn } from "./asked-words.ts";
import { hoursAnswer } from "./hours.ts";
import type { Answer } from "./schema.ts";

type Place = { tenant: TenantRow; office: OfficeRow | undefined; now: Date };

/** More is more than a caller remembers. */
const maxAnswers = 2;
/** Two answers that are longer leave no room for both before the model. */
const maxCharacters = 700;

/** Only what is set; a topic without a fact is `unknown`. */
export function answersTo(place: Place, said: string | undefined): Answer[] {
  if (said === undefined) return [answerTo(place, "hours"), withoutDirections(answerTo(place, "address"))];
  const { questions = [], insurance = [] } = effectiveFacts(place.tenant, place.office);
  const read = readOfficeTopics(said);
  // The name of a plan alone is a question about insurance.
  const topics = read.length > 0 || linesAbout(insurance, wordsIn(said)).length === 0 ? read : (["insurance"] as const);
  const own = questionAbout(questions, said, topics.length > 0);
  if (own) return [{ topic: "question", ...own }];
  if (topics.length === 0) return [{ topic: "unknown", asked: null }];
  const answers = topics.slice(0, maxAnswers).map((topic) => answerTo(place, topic, said));
  return JSON.stringify(answers).length > maxCharacters ? answers.slice(0, 1) : answers;
}

function answerTo({ tenant, office, now }: Place, topic: OfficeTopic, said?: string): Answer {
  const facts = effectiveFacts(tenant, office);
  const unknown = { topic: "unknown", asked: topic } as const;
  if (topic === "hours") return hoursAnswer(hoursOf(tenant, office), now, said);
  if (topic === "address" || topic === "directions")
    return placeAnswer(topic, office?.address ?? tenant.address ?? null, facts.directions ?? null) ?? unknown;
  if (isList(topic)) {
    const lines = facts[topic];
    return lines ? { topic, lines, ...askedOf(topic, lines, said) } : unknown;
  }
  const text = { ...facts, phone: office?.phone ?? tenant.contactPhone, email: office?.email }[topic];
  return text === undefined ? unknown : { topic, text };
}

/** A longer address leaves no room for the directions before the model. */
const maxAddress = 150;

function placeAnswer(topic: "address" | "directions", address: string | null, directions: string | null): Answer | undefined {
  if (address === null && directions === null) return undefined;
  if (address === null || directions === null || address.length <= maxAddress) return { topic, address, directions };
  return topic === "address" ? { topic, address, directions: null } : { topic, address: null, directions };
}

const withoutDirections = (answer: Answer): Answer => ("directions" in answer ? { ...answer, directions: null } : answer);

const isList = (topic: OfficeTopic): topic is FactList => factLists.some((name) => name === topic);

const asksForAll = /\b(?:what|which|whats|list|kinds?|types?|que|cuales|all|todos|todas)\b/;

/** Only a plan or a language can be missing from the list: other words may say anything. */
function askedOf(topic: FactList, lines: readonly string[], said = ""): { asked?: string[] } {
  const asked = wordsIn(said);
  if (asked.length === 0 || topic === "whatToBring") return {};
  const about = linesAbout(lines, asked);
  return about.length > 0 || (topic !== "selfPayPrices" && !asksForAll.test(normalizeName(said))) ? { asked: about } : {};
}

/** Topics that have a fact, and the office's own questions. */
export function knownTopics({ tenant, office, now }: Place, except: readonly Answer[]): string[] {
  const facts: OfficeFactsChange = effectiveFacts(tenant, office);
  const known = officeTopics.filter((topic) => answerTo({ tenant, office, now }, topic).topic !== "unknown");
  return [
    ...known.filter((topic) => !except.some((one) => one.topic === topic)),
    ...(facts.questions ?? []).map(({ question }) => question),
  ];
}
