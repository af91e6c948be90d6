import type { CodeableConcept } from "fhir/r4.js";
import { normalizeName } from "../nlu/names.ts";
import { matchesSpoken, wordsWithoutTitles } from "../nlu/who/match-names.ts";
import { readDoctor } from "../nlu/who/read-doctor.ts";
import { readService, type ServiceReading } from "../nlu/who/read-service.ts";
import { matchesSpecialty } from "../nlu/who/specialties.ts";
import { lowerCaseWords } from "../speech/speech-text.ts";
import type { Gender, SlotCriteria, UsualDoctors } from "./slot-source.ts";

/** What a calendar tells of the doctor of a schedule or time. */
type Doctor = { names: (string | undefined)[]; genders: readonly Gender[]; references: (string | undefined)[] };

/** "I'd like Dr. Patel" → ["patel"]; two for "Dr. Patel or Dr. Gomez". */
function namesIn(said: string): string[] {
  const read = readDoctor(said);
  const readings = read.kind === "ambiguous" ? read.readings : [read];
  return readings.flatMap((one) => (one.kind === "name" ? one.name : []));
}

export const matchesDoctor = (names: (string | undefined)[], said: string | undefined): boolean =>
  said === undefined || matchesSpoken(names, said) || namesIn(said).some((name) => matchesSpoken(names, name));

/** Every spoken word is a word of the name, not only its beginning. */
export function isWholeName(name: string | undefined, said: string): boolean {
  const words = normalizeName(name ?? "").split(" ");
  return namesIn(said).some((one) => one.split(" ").every((word) => words.includes(word)));
}

/** "Practitioner/17", "PractitionerRole/3", from any form of the reference. */
export const doctorKey = (reference: string | undefined): string | undefined =>
  /(?:^|\/)(Practitioner(?:Role)?\/[A-Za-z0-9._-]+)(?:\/_history\/[^/]+)?$/.exec(reference ?? "")?.[1];

const bareName = (name: string | undefined): string => wordsWithoutTitles(normalizeName(name ?? "").split(" ")).join(" ");

export const isUsualDoctor = (usualDoctors: UsualDoctors, { names, references }: Pick<Doctor, "names" | "references">): boolean =>
  references.some((one) => usualDoctors.references.includes(doctorKey(one) ?? "")) ||
  names.some((name) => bareName(name) !== "" && usualDoctors.names.some((known) => bareName(known) === bareName(name)));

export const isMeantDoctor = ({ practitioner, gender, usualDoctors }: SlotCriteria, doctor: Doctor): boolean =>
  matchesDoctor(doctor.names, practitioner) &&
  (gender === undefined || doctor.genders.includes(gender)) &&
  (usualDoctors === undefined || isUsualDoctor(usualDoctors, doctor));

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
