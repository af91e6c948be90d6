import type { CodeableConcept } from "fhir/r4.js";
import { isSpecialty } from "../speech/specialties.ts";
import { lowered } from "../speech/speech-text.ts";
import { normalName } from "../speech/names.ts";

const titles = new Set(["dr", "doctor", "md", "nurse", "with"]);
const wanted = (text: string): string[] =>
  normalName(text)
    .split(" ")
    .filter((word) => !titles.has(word));
/** Every word that was said occurs, from its start: "cardio", "Doctor Larkmere". */
export const says = (texts: (string | undefined)[], said: string | undefined): boolean => {
  const words = texts.flatMap((text) => normalName(text ?? "").split(" "));
  return said === undefined || wanted(said).every((word) => words.some((known) => known.startsWith(word)));
};

/** What every kind of visit may be called. */
const anyVisit = /\b(?:visits?|appointments?|consult(?:ation)?s?|check-?ups?|exams?)\b/giu;

/** Whether a service is the one that was said, word by word or as people call it: "heart doctor" is cardiology. */
export function isService(texts: (string | undefined)[], said: string | undefined): boolean {
  if (says(texts, said)) return true;
  const kind = said?.replace(anyVisit, " ").trim() ?? "";
  return normalName(kind) !== "" && texts.some((text) => text !== undefined && isSpecialty(text, kind));
}

/** What anybody may come for who has not said what for. */
export const isGeneral = (service: string | undefined): boolean =>
  service === undefined || /\b(?:family|general|primary|internal)\b/u.test(normalName(service));

/** What a service is called in words. */
export const serviceName = ([first]: CodeableConcept[] = []): string | undefined => first?.text ?? first?.coding?.[0]?.display;

/** "a gynecology visit", "cardiology": what a time is for, within a sentence. */
export function saidService(service: string): string {
  const name = lowered(service);
  if (!new RegExp(`${anyVisit.source}$`, "iu").test(name)) return name;
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}
