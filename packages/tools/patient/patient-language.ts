import type { Language } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import type { Patient } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { readLanguage } from "../nlu/language.ts";

type Spoken = NonNullable<Patient["communication"]>[number]["language"];

/** The language marked as preferred, else the only one on file. */
const preferred = ({ communication = [] }: Patient): Spoken | undefined =>
  (communication.find((one) => one.preferred) ?? (communication.length === 1 ? communication[0] : undefined))?.language;

/** undefined if the chart names none, or another one than we speak. */
export const patientLanguage = (patient: Patient): Language | undefined => {
  const { coding = [], text } = preferred(patient) ?? {};
  return [...coding.flatMap(({ code, display }) => [code, display]), text].map(readLanguage).find((one) => one !== undefined);
};

/** For texts: what the caller speaks, else the language of the chart, which the platform's setting does not outweigh. */
export const textLanguage = async (run: Run): Promise<Language> => run.namedLanguage ?? patientLanguage(await run.chart()) ?? run.language;

/** For FHIR in general, and of US Core 7, which answers in SNOMED CT: yes is 373066001. */
const interpreterRequired = "http://hl7.org/fhir/StructureDefinition/patient-interpreterRequired";
const interpreterNeeded = "http://hl7.org/fhir/us/core/StructureDefinition/us-core-interpreter-needed";
const snomedYes = "373066001";
const snomedNo = "373067005";

function statedNeed({ extension = [] }: Patient): boolean | undefined {
  const required = extension.find(({ url }) => url === interpreterRequired)?.valueBoolean;
  const code = extension.find(({ url }) => url === interpreterNeeded)?.valueCoding?.code;
  return required ?? (code === snomedYes ? true : code === snomedNo ? false : undefined);
}

const maxName = 60;

/** "Vietnamese". The code's own name comes first: a display may be anything. */
function nameOf({ coding = [], text }: Spoken): string | undefined {
  const named = [...coding.flatMap(({ code }) => languageName(code)), ...coding.flatMap(({ display }) => display ?? []), text];
  return named.map((one) => one?.replaceAll(/\s+/g, " ").trim().slice(0, maxName)).find((one) => one && !isNoLanguage.test(one));
}

/** Names of the codes und, mul and zxx, and what registration desks type. */
const isNoLanguage = /^(?:unknown|undetermined|multiple|no |not |none|other|declined|refused|asked)/i;

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
function languageName(code: string | undefined): string | undefined {
  try {
    return code && languageNames.of(code);
  } catch {
    return undefined;
  }
}

/** The language to interpret, "Vietnamese". undefined if the patient speaks English or Spanish, unless the chart asks for an interpreter. */
export function interpreterFor(patient: Patient): string | undefined {
  const spoken = preferred(patient);
  const name = spoken && nameOf(spoken);
  const needs = statedNeed(patient) ?? (name !== undefined && patientLanguage(patient) === undefined);
  return needs ? (name ?? "language not on file") : undefined;
}

/** In a recovery, the chart may have been closed since; then what the call knew counts. Throws the EHR's errors while that is unknown. */
export const interpreterOnBooking = (run: Run): Promise<string | undefined> =>
  run.chart().then(interpreterFor, (error: unknown) => {
    if (run.state?.interpreter === undefined && !isAppError(error, "ehr_forbidden")) throw error;
    return run.state?.interpreter;
  });

/** For staff, on a booking: "Interpreter: Vietnamese", and that it was made in a test call. The chart was read before. */
export async function bookingNote(run: Run): Promise<string | undefined> {
  const language = interpreterFor(await run.chart());
  const notes = [run.call.isTest && "Made in a test call; no patient has called.", language && `Interpreter: ${language}`].filter(Boolean);
  return notes.length > 0 ? notes.join(" ") : undefined;
}
