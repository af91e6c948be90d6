import { speakList, lowerCaseWords, speakWhen, maxSpoken } from "../speech/speech-text.ts";
import type { Allergy, Category, Found, Measurement, Output } from "./schema.ts";

const spokenUnits: Record<string, string> = {
  mmHg: "millimeters of mercury",
  "mm[Hg]": "millimeters of mercury",
  "%": "percent",
  "mg/dL": "milligrams per deciliter",
  "g/dL": "grams per deciliter",
  "mmol/L": "millimoles per liter",
  "U/L": "units per liter",
  "/min": "per minute",
  "beats/minute": "beats per minute",
  "beats/min": "beats per minute",
  bpm: "beats per minute",
  "breaths/minute": "breaths per minute",
  kg: "kilograms",
  "kg/m2": "",
  lb: "pounds",
  "[lb_av]": "pounds",
  cm: "centimeters",
  in: "inches",
  "[in_i]": "inches",
  Cel: "degrees Celsius",
  "°C": "degrees Celsius",
  "[degF]": "degrees Fahrenheit",
  "°F": "degrees Fahrenheit",
};

const measured = ({ name, value, unit = "" }: Measurement): string =>
  [name, value.replace(/^(\d+)\/(\d+)$/, "$1 over $2"), spokenUnits[unit] ?? unit].filter(Boolean).join(" ");
/** A date common to all is spoken once. */
function measurements(all: Measurement[]): string {
  const [date, ...others] = new Set(all.slice(0, maxSpoken).map((one) => one.date));
  if (others.length === 0) return speakList(all.map(measured)) + (date ? `, ${speakWhen(date)}` : "");
  return speakList(all.map((one) => (one.date ? `${measured(one)} ${speakWhen(one.date)}` : measured(one))));
}
const allergy = ({ to, reactions }: Allergy): string =>
  reactions.length > 0
    ? `${lowerCaseWords(to)}, which caused ${speakList(reactions.map(lowerCaseWords), { most: 2 })}`
    : lowerCaseWords(to);

const sentenceFor = (items: string, begin: string, nothing: string): string =>
  items ? `${begin} ${items}.` : `I don't see any ${nothing} on file.`;

const categorySentences: Record<Category, (found: Found) => string | undefined> = {
  conditions: ({ conditions }) => conditions && sentenceFor(speakList(conditions), "Active conditions on file:", "active conditions"),
  allergies: ({ allergies, noKnownAllergies }) =>
    noKnownAllergies
      ? `The record says: ${noKnownAllergies}.`
      : allergies && sentenceFor(speakList(allergies.map(allergy)), "Allergies on file:", "allergies"),
  vitals: ({ vitals }) => vitals && sentenceFor(measurements(vitals), "Latest vital signs:", "vital signs"),
  labs: ({ labs }) => labs && sentenceFor(measurements(labs), "Latest lab results:", "lab results"),
  medications: ({ medications }) =>
    medications && sentenceFor(speakList(medications.map(({ name }) => name)), "Active medications on file:", "active medications"),
};

const categoryNames: Record<Category, string> = {
  conditions: "conditions",
  allergies: "allergies",
  vitals: "vital signs",
  labs: "lab results",
  medications: "medications",
};
const names = (categories: Category[]): string =>
  speakList(
    categories.map((one) => categoryNames[one]),
    { most: 5 },
  );

export function speak({ missing, notSupported, ...found }: Output): string {
  return [
    ...Object.values(categorySentences).map((say) => say(found)),
    missing.length > 0 && `I couldn't get the ${names(missing)} just now.`,
    notSupported.length > 0 && `The clinic's record system doesn't offer ${names(notSupported)} here.`,
  ]
    .filter(Boolean)
    .join(" ");
}
