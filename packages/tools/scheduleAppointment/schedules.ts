import { isAppError } from "@vitaline/core";
import type { Reference, Schedule } from "fhir/r4.js";
import type { Run } from "../define-tool.ts";
import { says } from "./says.ts";
import { isService } from "./services.ts";

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

type Asked = { practitioner?: string | undefined; service?: string | undefined };

const allSchedules = async ({ ehr, signal }: Run): Promise<Schedule[]> =>
  (await ehr.search<Schedule>("Schedule", {}, { signal, maxResources: maxSchedules })).filter(
    ({ resourceType }) => resourceType === "Schedule",
  );

/** The schedules of the practitioner and the service that was asked for. */
export const findSchedules = async (run: Run, { practitioner, service }: Asked): Promise<Schedule[]> =>
  (await allSchedules(run)).filter((schedule) => {
    const words = wordsOf(schedule);
    return says(words.practitioner, practitioner) && isService(words.service, service);
  });

/** What no schedule has of what was asked for; undefined also where not all are seen, or none says in words what it is of. */
export async function unknownOf(run: Run, { practitioner, service }: Asked): Promise<"practitioner" | "service" | undefined> {
  const all = (await allSchedules(run)).map(wordsOf);
  if (all.length >= maxSchedules) return undefined;
  const [people, services] = [all.map((words) => words.practitioner), all.map((words) => words.service)];
  const isTold = (texts: (string | undefined)[][]) => texts.some((words) => words.some((text) => text !== undefined));
  if (practitioner !== undefined && isTold(people) && !people.some((texts) => says(texts, practitioner))) return "practitioner";
  return service !== undefined && isTold(services) && !services.some((texts) => isService(texts, service)) ? "service" : undefined;
}

/** A slot's schedule; a server without schedules still has slots. */
export async function readSchedule({ ehr, signal }: Run, id: string | undefined): Promise<Schedule | undefined> {
  if (id === undefined) return undefined;
  return ehr.read<Schedule>("Schedule", id, { signal }).catch((error: unknown) => {
    if (isAppError(error, "ehr_not_found", "ehr_forbidden")) return undefined;
    throw error;
  });
}
