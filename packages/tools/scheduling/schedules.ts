import { AppError, type ErrorCode, errorFields, isAppError, settleAll } from "@vitaline/core";
import type { Appointment, FhirResource, Location, Practitioner, Reference, Schedule } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { referencedId } from "../sdk/references.ts";
import { matchesService, matchesSpoken } from "./services.ts";
import { displayName } from "../speech/names.ts";
import { spokenLine } from "../speech/speech-text.ts";
import { openIfAllowed } from "../sdk/optional-scopes.ts";

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

export const actorScopes = ["system/Practitioner.rs", "system/Location.rs"];
const calendarScopes = ["system/Schedule.rs", ...actorScopes];
const maxActors = 100;

const isActive = ({ active }: { active?: boolean | undefined }): boolean => active !== false;

type ActorType = "Practitioner" | "Location";
/** "Practitioner/17", from any form of the reference. */
const keyOf = (reference: string | undefined): string | undefined =>
  (["Practitioner", "Location"] as const).flatMap((type) => {
    const id = referencedId(reference, type);
    return id === undefined ? [] : [`${type}/${id}`];
  })[0];

type CachedActor = { name: string | undefined; isClosed: boolean; untilMs: number };
/** Names are cached; whether a practitioner is active is asked each time. */
const actorCache = new Map<string, CachedActor>();
const cacheLifetimeMs = 5 * 60_000;
const maxCachedActors = 5000;

const cachedActor = ({ ehr, ctx }: Run, key: string): CachedActor | undefined => {
  const known = actorCache.get(`${ehr.providerId} ${key}`);
  return known && known.untilMs > ctx.clock().getTime() ? known : undefined;
};

function cacheSet({ ehr, ctx }: Run, key: string, known: Omit<CachedActor, "untilMs">): void {
  if (actorCache.size >= maxCachedActors) actorCache.clear();
  actorCache.set(`${ehr.providerId} ${key}`, { ...known, untilMs: ctx.clock().getTime() + cacheLifetimeMs });
}

const isActor = (one: FhirResource): one is Practitioner | Location =>
  one.resourceType === "Practitioner" || one.resourceType === "Location";
const cacheActor = (run: Run, one: Practitioner | Location): void =>
  cacheSet(
    run,
    `${one.resourceType}/${one.id}`,
    one.resourceType === "Practitioner"
      ? { name: displayName(one.name), isClosed: !isActive(one) }
      : { name: spokenLine(one.name), isClosed: one.status === "inactive" || one.status === "suspended" },
  );

/** Caches actors by id, if the connection and server allow it. */
async function searchActors<T extends Practitioner | Location>(run: Run, type: T["resourceType"], keys: string[]): Promise<void> {
  const ehr = keys.length > 0 ? await openIfAllowed(run, calendarScopes) : undefined;
  if (!ehr || !(await ehr.capability({ signal: run.signal })).supports(type, "search-type")) return;
  const ids = keys.slice(0, maxActors).map((key) => key.slice(type.length + 1));
  const found = await ehr
    .search<T>(type, { _id: ids.join(","), _count: String(maxActors) }, { signal: run.signal, maxResources: maxActors })
    .catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
  for (const key of keys) if (!cachedActor(run, key)) cacheSet(run, key, { name: undefined, isClosed: false });
  for (const one of found) if (one.resourceType === type) cacheActor(run, one);
}

const keysOf = (type: ActorType, actors: readonly Reference[]): string[] => [
  ...new Set(actors.flatMap(({ reference }) => keyOf(reference) ?? []).filter((key) => key.startsWith(`${type}/`))),
];

const withDisplay = (run: Run, actor: Reference): Reference => {
  const display = actor.display ?? cachedActor(run, keyOf(actor.reference) ?? "")?.name;
  return display === undefined ? actor : { ...actor, display };
};

type LoadedSchedules = { schedules: Schedule[]; isClosed(schedule: Schedule): boolean };

/**
 * Loads schedules with actor names and whether they are in use. One request if the server includes actors; otherwise one more for
 * practitioners, and one for uncached locations.
 */
async function loadSchedules(run: Run, params: Record<string, string> = {}): Promise<LoadedSchedules> {
  const also = await openIfAllowed(run, calendarScopes);
  const asked = { ...params, ...(also ? { _include: "Schedule:actor" } : {}), _count: String(maxSchedules) };
  const found = await (also ?? run.ehr).search<Schedule>("Schedule", asked, { signal: run.signal, maxResources: maxSchedules });
  const schedules = found.filter(({ resourceType }) => resourceType === "Schedule");
  const brought = (found as FhirResource[]).filter(isActor);
  for (const one of brought) cacheActor(run, one);
  await loadActors(run, schedules.filter(isActive), new Set(brought.map(({ resourceType, id }) => `${resourceType}/${id}`)));
  return loadedSchedules(run, schedules);
}

async function loadActorsOf(run: Run, schedule: Schedule): Promise<LoadedSchedules> {
  await loadActors(run, [schedule].filter(isActive), new Set());
  return loadedSchedules(run, [schedule]);
}

async function loadActors(run: Run, schedules: Schedule[], brought: ReadonlySet<string>): Promise<void> {
  const actors = schedules.flatMap(({ actor }) => actor);
  const people = keysOf("Practitioner", actors).filter((key) => !brought.has(key));
  const places = keysOf("Location", actors).filter((key) => !brought.has(key) && !cachedActor(run, key));
  await settleAll([searchActors<Practitioner>(run, "Practitioner", people), searchActors<Location>(run, "Location", places)]);
}

const loadedSchedules = (run: Run, schedules: Schedule[]): LoadedSchedules => ({
  schedules: schedules.map((one) => ({ ...one, actor: one.actor.map((actor) => withDisplay(run, actor)) })),
  isClosed: (schedule) => !isActive(schedule) || schedule.actor.some(({ reference }) => cachedActor(run, keyOf(reference) ?? "")?.isClosed),
});

/** Fills in missing practitioner and location names where possible. */
export async function withActorNames<T extends Appointment>(run: Run, appointments: T[]): Promise<T[]> {
  const unnamed = appointments.flatMap(({ participant }) => participant.flatMap(({ actor }) => (actor && !actor.display ? [actor] : [])));
  const unknown = (type: ActorType) => keysOf(type, unnamed).filter((key) => !cachedActor(run, key));
  await settleAll([
    searchActors<Practitioner>(run, "Practitioner", unknown("Practitioner")),
    searchActors<Location>(run, "Location", unknown("Location")),
  ]).catch((error: unknown) => run.ctx.log("warn", "tool.without_names", errorFields(error)));
  return appointments.map((one) => ({
    ...one,
    participant: one.participant.map((each) => (each.actor ? { ...each, actor: withDisplay(run, each.actor) } : each)),
  }));
}
