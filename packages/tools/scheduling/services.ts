import type { CodeableConcept } from "fhir/r4.js";
import { readDoctor } from "../spoken/who/read-doctor.ts";
import { matchesSpecialty } from "../spoken/who/specialties.ts";
import { lowerCaseWords } from "../speech/speech-text.ts";
import { wordsWithoutTitles } from "../spoken/who/match-names.ts";
import { normalizeName } from "../spoken/names.ts";

const spokenNameWords = (text: string): string[] =>
  wordsWithoutTitles(normalizeName(text).split(" ")).filter((word) => !["with", "con", "el", "la"].includes(word));
/** Every spoken word starts a word of the texts: "cardio", "Doctor Larkmere". */
export const matchesSpoken = (texts: (string | undefined)[], said: string | undefined): boolean => {
  const words = texts.flatMap((text) => normalizeName(text ?? "").split(" "));
  return said === undefined || spokenNameWords(said).every((word) => words.some((known) => known.startsWith(word)));
};

/** Every spoken word is a word of the name, not only its beginning. */
export const isWholeName = (name: string | undefined, said: string): boolean => {
  const words = normalizeName(name ?? "").split(" ");
  return spokenNameWords(said).every((word) => words.includes(word));
};

/** The caller has no preference. */
export const isAnyone = (practitioner: string | undefined): boolean =>
  practitioner !== undefined && readDoctor(practitioner).kind === "any";

const anyVisit = /\b(?:visits?|appointments?|consult(?:ation)?s?|check-?ups?|exams?)\b/giu;

/** By words or by common names: "heart doctor" matches cardiology. */
export function matchesService(texts: (string | undefined)[], said: string | undefined): boolean {
  if (matchesSpoken(texts, said)) return true;
  const kind = said?.replace(anyVisit, " ").trim() ?? "";
  return normalizeName(kind) !== "" && texts.some((text) => text !== undefined && matchesSpecialty(text, kind));
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
