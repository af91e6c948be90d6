import { AppError, type ErrorCode, isAppError } from "@vitaline/core";
import type { Reference, Schedule } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { referencedId } from "../sdk/references.ts";
import { loadActorsOf, type LoadedSchedules, loadSchedules } from "./actors.ts";
import { matchesService, matchesSpoken } from "./services.ts";

const maxSchedules = 100;

const actor = (actors: Reference[], ...types: string[]): string | undefined =>
  actors.find(({ reference }) => types.some((type) => referencedId(reference, type)))?.display;

export const practitionerAndLocation = (actors: Reference[]): { practitioner?: string; location?: string } => {
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

type Asked = { practitioner?: string | undefined; service?: string | undefined; schedule?: string | undefined };

type Schedules = { open: Schedule[]; closed: ReadonlySet<string | undefined> };

/** Read once per run. */
const schedulesOfRun = new WeakMap<Run, Promise<Schedules>>();
const allSchedules = (run: Run): Promise<Schedules> => {
  const reading = schedulesOfRun.get(run) ?? readSchedules(run);
  schedulesOfRun.set(run, reading);
  return reading;
};

async function readSchedules(run: Run): Promise<Schedules> {
  const { schedules, isClosed } = await loadSchedules(run);
  return { open: schedules.filter((one) => !isClosed(one)), closed: new Set(schedules.filter(isClosed).map(({ id }) => id)) };
}

export const findSchedules = async (run: Run, { practitioner, service, schedule: wanted }: Asked): Promise<Schedules> => {
  const { open, closed } = await allSchedules(run);
  const fitting = open.filter((schedule) => {
    const words = wordsOf(schedule);
    if (wanted !== undefined && schedule.id !== wanted) return false;
    return matchesSpoken(words.practitioner, practitioner) && matchesService(words.service, service);
  });
  return { open: fitting, closed };
};

/** undefined also if the list is incomplete or has no names. */
export async function unmatchedTerm(run: Run, { practitioner, service }: Asked): Promise<"practitioner" | "service" | undefined> {
  const { open, closed } = await allSchedules(run);
  if (open.length + closed.size >= maxSchedules) return undefined;
  const all = open.map(wordsOf);
  const [people, services] = [all.map((words) => words.practitioner), all.map((words) => words.service)];
  const isTold = (texts: (string | undefined)[][]) => texts.some((words) => words.some((text) => text !== undefined));
  if (practitioner !== undefined && isTold(people) && !people.some((texts) => matchesSpoken(texts, practitioner))) return "practitioner";
  return service !== undefined && isTold(services) && !services.some((texts) => matchesService(texts, service)) ? "service" : undefined;
}

/**
 * undefined at a server without schedules. AppError `slot_taken` if the schedule or one of its actors is inactive. Searched to include
 * actors, else read by id.
 */
export async function readSchedule(run: Run, id: string | undefined): Promise<Schedule | undefined> {
  if (id === undefined) return undefined;
  const found = (await searchById(run, id)) ?? (await readById(run, id));
  const schedule = found?.schedules.find((one) => one.id === id);
  if (schedule && found?.isClosed(schedule)) throw new AppError("slot_taken", "The schedule is not in use.");
  return schedule;
}

async function searchById(run: Run, id: string): Promise<LoadedSchedules | undefined> {
  const { supports, searchParams } = await run.ehr.capability({ signal: run.signal });
  if (!supports("Schedule", "search-type") || !searchParams("Schedule").includes("_id")) return undefined;
  const found = await orUndefined(loadSchedules(run, { _id: id }), "ehr_invalid");
  return found?.schedules.some((one) => one.id === id) ? found : undefined;
}

const readById = (run: Run, id: string): Promise<LoadedSchedules | undefined> =>
  orUndefined(run.ehr.read<Schedule>("Schedule", id, { signal: run.signal }).then((found) => loadActorsOf(run, found)));

const orUndefined = <T>(reading: Promise<T>, ...more: ErrorCode[]): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (isAppError(error, "ehr_not_found", "ehr_forbidden", "ehr_unsupported", ...more)) return undefined;
    throw error;
  });
