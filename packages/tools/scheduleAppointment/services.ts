import type { CodeableConcept } from "fhir/r4.js";
import { isSpecialty } from "../getFhirProviders/specialties.ts";
import { lowered } from "../in-words.ts";
import { normalName } from "../verifyPatientIdentity/names.ts";
import { says } from "./says.ts";

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
