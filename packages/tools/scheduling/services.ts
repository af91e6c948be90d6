import type { CodeableConcept } from "fhir/r4.js";
import { readService } from "../spoken/who/read-service.ts";
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

const anyVisit = /\b(?:visits?|appointments?|consult(?:ation)?s?|check-?ups?|exams?)\b/giu;

/** By words, by common names ("heart doctor" matches cardiology), or as the same kind of visit ("a flu shot" matches vaccines). */
export function matchesService(texts: (string | undefined)[], said: string | undefined): boolean {
  if (said === undefined || matchesSpoken(texts, said)) return true;
  const read = readService(said);
  if (read.kind === "any") return true;
  if (read.kind === "visit") return texts.some((text) => isVisit(text, read.visit));
  if (read.kind === "words" && matchesSpoken(texts, read.words)) return true;
  const kind = said.replace(anyVisit, " ").trim();
  return normalizeName(kind) !== "" && texts.some((text) => text !== undefined && matchesSpecialty(text, kind));
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
