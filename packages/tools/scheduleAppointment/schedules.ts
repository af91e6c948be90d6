import { isAppError } from "@vitaline/core";
import type { Reference, Schedule } from "fhir/r4.js";
import type { Run } from "../define-tool.ts";
import { normalName } from "../verifyPatientIdentity/names.ts";

const maxSchedules = 100;

/** "Slot" and the id of "https://ehr.example/r4/Slot/17/_history/2" or "Slot/17". */
export const idIn = (reference: string | undefined, type: string): string | undefined =>
  new RegExp(`(?:^|/)${type}/([A-Za-z0-9._-]+)(?:/_history/[^/]+)?$`).exec(reference ?? "")?.[1];

const actor = (actors: Reference[], ...types: string[]): string | undefined =>
  actors.find(({ reference }) => types.some((type) => idIn(reference, type)))?.display;

/** With whom and where, as far as the EHR says it in words. */
export const placeOf = (actors: Reference[]): { practitioner?: string; location?: string } => {
  const practitioner = actor(actors, "Practitioner", "PractitionerRole");
  const location = actor(actors, "Location");
  return { ...(practitioner ? { practitioner } : {}), ...(location ? { location } : {}) };
};

const wordsOf = ({ actor: actors, serviceType = [], specialty = [] }: Schedule) => ({
  practitioner: actors.map(({ display }) => display),
  service: [...serviceType, ...specialty].flatMap(({ text, coding = [] }) => [
    text,
    ...coding.flatMap(({ display, code }) => [display, code]),
  ]),
});

const titles = new Set(["dr", "doctor", "md", "nurse", "with"]);
const wanted = (text: string): string[] =>
  normalName(text)
    .split(" ")
    .filter((word) => !titles.has(word));
/** Every word that was said occurs, from its start: "cardio", "Doctor Larkmere". */
const says = (texts: (string | undefined)[], said: string | undefined): boolean => {
  const words = texts.flatMap((text) => normalName(text ?? "").split(" "));
  return said === undefined || wanted(said).every((word) => words.some((known) => known.startsWith(word)));
};

/** The schedules of the practitioner and the service that was asked for. */
export async function findSchedules(
  { ehr, signal }: Run,
  { practitioner, service }: { practitioner?: string; service?: string },
): Promise<Schedule[]> {
  const schedules = await ehr.search<Schedule>("Schedule", {}, { signal, maxResources: maxSchedules });
  return schedules.filter((schedule) => {
    const words = wordsOf(schedule);
    return schedule.resourceType === "Schedule" && says(words.practitioner, practitioner) && says(words.service, service);
  });
}

/** A slot's schedule; a server without schedules still has slots. */
export async function readSchedule({ ehr, signal }: Run, id: string | undefined): Promise<Schedule | undefined> {
  if (id === undefined) return undefined;
  return ehr.read<Schedule>("Schedule", id, { signal }).catch((error: unknown) => {
    if (isAppError(error, "ehr_not_found", "ehr_forbidden")) return undefined;
    throw error;
  });
}
