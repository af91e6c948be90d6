import type { CodeableConcept } from "fhir/r4.js";
import { readService, type ServiceReading } from "../nlu/who/read-service.ts";
import { matchesSpecialty } from "../nlu/who/specialties.ts";
import { lowerCaseWords } from "../speech/speech-text.ts";
import { matchesSpoken } from "../nlu/who/match-names.ts";
import { normalizeName } from "../nlu/names.ts";

const anyVisit = /\b(?:visits?|appointments?|consult(?:ation)?s?|check-?ups?|exams?)\b/giu;

/** By words, by common names ("heart doctor" matches cardiology), or as the same kind of visit ("a flu shot" matches vaccines). */
export function matchesService(texts: (string | undefined)[], said: string | undefined): boolean {
  if (said === undefined || matchesSpoken(texts, said)) return true;
  return isServiceRead(texts, readService(said), said);
}

function isServiceRead(texts: (string | undefined)[], read: ServiceReading, said: string): boolean {
  const kind = said.replace(anyVisit, " ").trim();
  const isCalled = (name: string): boolean =>
    normalizeName(name) !== "" && texts.some((text) => text !== undefined && matchesSpecialty(text, name));
  switch (read.kind) {
    case "any":
    case "unknown":
      return true;
    case "visit":
      return texts.some((text) => isVisit(text, read.visit));
    case "ambiguous":
      return read.readings.some((one) => isServiceRead(texts, one, one.kind === "specialty" ? one.specialty : said));
    case "specialty":
      return isCalled(read.specialty) || isCalled(kind);
    case "words":
      return matchesSpoken(texts, read.words) || isCalled(kind);
  }
}

/** Visits that a general practitioner sees where the calendar has none of that name. */
const generalVisits = new Set(["sick visit", "physical", "follow-up", "new patient visit"]);
/** "a cardiologist", "cardiology": the caller asks for no one else. */
const namesSpecialist =
  /\b(?:\w+olog(?:y|ist|ia|[oa]s?)|\w+(?:iatr|opedi|stetri)\w*|\w*doctors?|doctora|specialists?|especialistas?|medic[oa]|surgeons?|dentists?|dentista|therapists?|terapeuta)\b/;
export function isForGeneralVisit(said: string): boolean {
  const read = readService(said);
  if (read.kind === "visit") return generalVisits.has(read.visit);
  return (read.kind === "specialty" || read.kind === "ambiguous") && !namesSpecialist.test(normalizeName(said));
}

export const isKindOfVisit = (said: string): boolean => readService(said).kind === "visit";

/** The specialties that the words may mean; empty if they mean one. */
export function possibleServices(said: string): string[] {
  const read = readService(said);
  return read.kind === "ambiguous" ? read.readings.flatMap((one) => (one.kind === "specialty" ? one.specialty : [])) : [];
}

function isVisit(text: string | undefined, visit: string): boolean {
  const recorded = text === undefined ? undefined : readService(text);
  return recorded?.kind === "visit" && recorded.visit === visit;
}

export const isGeneralService = (service: string | undefined): boolean =>
  service === undefined || /\b(?:family|general|primary|internal)\b/u.test(normalizeName(service));

export const serviceName = ([first]: CodeableConcept[] = []): string | undefined => first?.text ?? first?.coding?.[0]?.display;

/** "a gynecology visit", "cardiology". */
export function speakService(service: string): string {
  const name = lowerCaseWords(service);
  if (!new RegExp(`${anyVisit.source}$`, "iu").test(name)) return name;
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}
