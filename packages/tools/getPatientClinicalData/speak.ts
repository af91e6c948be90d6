import { inList, lowered, sayWhen, spokenAtOnce } from "../speech/speech-text.ts";
import type { Allergy, Category, Found, Measured, Output } from "./schema.ts";

/** Units as they are written, and as they are said. */
const saidAs: Record<string, string> = {
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

const measured = ({ name, value, unit = "" }: Measured): string =>
  [name, value.replace(/^(\d+)\/(\d+)$/, "$1 over $2"), saidAs[unit] ?? unit].filter(Boolean).join(" ");
/** The newest of each kind; a day that is the same for all is said once. */
function measurements(all: Measured[]): string {
  const [date, ...others] = new Set(all.slice(0, spokenAtOnce).map((one) => one.date));
  if (others.length === 0) return inList(all.map(measured)) + (date ? `, ${sayWhen(date)}` : "");
  return inList(all.map((one) => (one.date ? `${measured(one)} ${sayWhen(one.date)}` : measured(one))));
}
const allergy = ({ to, reactions }: Allergy): string =>
  reactions.length > 0 ? `${lowered(to)}, which caused ${inList(reactions.map(lowered), { most: 2 })}` : lowered(to);

/** One sentence for what there is of a category, another for nothing. */
const told = (items: string, begin: string, nothing: string): string =>
  items ? `${begin} ${items}.` : `I don't see any ${nothing} on file.`;

const sayings: Record<Category, (found: Found) => string | undefined> = {
  conditions: ({ conditions }) => conditions && told(inList(conditions), "Active conditions on file:", "active conditions"),
  allergies: ({ allergies, noKnownAllergies }) =>
    noKnownAllergies
      ? `The record says: ${noKnownAllergies}.`
      : allergies && told(inList(allergies.map(allergy)), "Allergies on file:", "allergies"),
  vitals: ({ vitals }) => vitals && told(measurements(vitals), "Latest vital signs:", "vital signs"),
  labs: ({ labs }) => labs && told(measurements(labs), "Latest lab results:", "lab results"),
  medications: ({ medications }) =>
    medications && told(inList(medications.map(({ name }) => name)), "Active medications on file:", "active medications"),
};

const called: Record<Category, string> = {
  conditions: "conditions",
  allergies: "allergies",
  vitals: "vital signs",
  labs: "lab results",
  medications: "medications",
};
const names = (categories: Category[]): string =>
  inList(
    categories.map((one) => called[one]),
    { most: 5 },
  );

/** At most a few of each, and what there is none of; all on one line. */
export function speak({ missing, notSupported, ...found }: Output): string {
  return [
    ...Object.values(sayings).map((say) => say(found)),
    missing.length > 0 && `I couldn't get the ${names(missing)} just now.`,
    notSupported.length > 0 && `The clinic's record system doesn't offer ${names(notSupported)} here.`,
  ]
    .filter(Boolean)
    .join(" ");
}
