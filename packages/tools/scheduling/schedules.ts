import { AppError, type ErrorCode, isAppError } from "@vitaline/core";
import type { Reference, Schedule } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { idIn } from "../sdk/references.ts";
import { calendarOf, type Calendars, readCalendars } from "./actors.ts";
import { isService, says } from "./services.ts";

const maxSchedules = 100;

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

type Asked = { practitioner?: string | undefined; service?: string | undefined; schedule?: string | undefined };

/** The schedules that are in use, with names for their actors, and the ids of those that are not. */
type Schedules = { open: Schedule[]; closed: ReadonlySet<string | undefined> };

/** Of a run: they are read once, also where what was asked for is looked for again. */
const known = new WeakMap<Run, Promise<Schedules>>();
const allSchedules = (run: Run): Promise<Schedules> => {
  const reading = known.get(run) ?? readSchedules(run);
  known.set(run, reading);
  return reading;
};

async function readSchedules(run: Run): Promise<Schedules> {
  const { schedules, isClosed } = await readCalendars(run);
  return { open: schedules.filter((one) => !isClosed(one)), closed: new Set(schedules.filter(isClosed).map(({ id }) => id)) };
}

/** The schedules of the practitioner and the service that was asked for. */
export const findSchedules = async (run: Run, { practitioner, service, schedule: wanted }: Asked): Promise<Schedules> => {
  const { open, closed } = await allSchedules(run);
  const fitting = open.filter((schedule) => {
    const words = wordsOf(schedule);
    if (wanted !== undefined && schedule.id !== wanted) return false;
    return says(words.practitioner, practitioner) && isService(words.service, service);
  });
  return { open: fitting, closed };
};

/** What no schedule has of what was asked for; undefined also where not all are seen, or none says in words what it is of. */
export async function unknownOf(run: Run, { practitioner, service }: Asked): Promise<"practitioner" | "service" | undefined> {
  const { open, closed } = await allSchedules(run);
  if (open.length + closed.size >= maxSchedules) return undefined;
  const all = open.map(wordsOf);
  const [people, services] = [all.map((words) => words.practitioner), all.map((words) => words.service)];
  const isTold = (texts: (string | undefined)[][]) => texts.some((words) => words.some((text) => text !== undefined));
  if (practitioner !== undefined && isTold(people) && !people.some((texts) => says(texts, practitioner))) return "practitioner";
  return service !== undefined && isTold(services) && !services.some((texts) => isService(texts, service)) ? "service" : undefined;
}

/**
 * A slot's schedule; a server without schedules still has slots. AppError `slot_taken` for one that is not in use, or whose doctor or
 * place is not. A search brings the doctor along; it is read alone where the server does not take its id in searches, or ignores it.
 */
export async function readSchedule(run: Run, id: string | undefined): Promise<Schedule | undefined> {
  if (id === undefined) return undefined;
  const found = (await searchedFor(run, id)) ?? (await readAlone(run, id));
  const schedule = found?.schedules.find((one) => one.id === id);
  if (schedule && found?.isClosed(schedule)) throw new AppError("slot_taken", "The schedule is not in use.");
  return schedule;
}

async function searchedFor(run: Run, id: string): Promise<Calendars | undefined> {
  const { supports, searchParams } = await run.ehr.capability({ signal: run.signal });
  if (!supports("Schedule", "search-type") || !searchParams("Schedule").includes("_id")) return undefined;
  const found = await orNothing(readCalendars(run, { _id: id }), "ehr_invalid");
  return found?.schedules.some((one) => one.id === id) ? found : undefined;
}

const readAlone = (run: Run, id: string): Promise<Calendars | undefined> =>
  orNothing(run.ehr.read<Schedule>("Schedule", id, { signal: run.signal }).then((found) => calendarOf(run, found)));

const orNothing = <T>(reading: Promise<T>, ...more: ErrorCode[]): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (isAppError(error, "ehr_not_found", "ehr_forbidden", "ehr_unsupported", ...more)) return undefined;
    throw error;
  });
