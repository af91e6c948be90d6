import { AppError, awaitAllThenThrow, type ErrorCode, errorFields, isAppError } from "@vitaline/core";
import type { Appointment, FhirResource, Location, Practitioner, Reference, Schedule } from "fhir/r4.js";
import { matchesPlace } from "../nlu/who/read-place.ts";
import { referencedId } from "../patient/chart.ts";
import { openIfAllowed, type Run } from "../sdk/run.ts";
import { displayName, spokenLine } from "../speech/speech-text.ts";
import { isMeantDoctor, matchesDoctor, matchesService } from "./matching.ts";
import type { Gender, OpenSlot, SlotCriteria, Unmatched } from "./slot-source.ts";

const maxSchedules = 100;

const searchTermsOf = (run: Run, { actor: actors, serviceType = [], specialty = [] }: Schedule) => ({
  doctor: {
    names: actors.map(({ display }) => display),
    genders: actors.flatMap(({ reference }) => cachedActor(run, actorKey(reference) ?? "")?.gender ?? []),
    references: actors.map(({ reference }) => reference),
  },
  places: actorKeys("Location", actors).flatMap((key) => {
    const { name, city } = cachedActor(run, key) ?? {};
    return [actors.find(({ reference }) => actorKey(reference) === key)?.display ?? name, city];
  }),
  service: [...serviceType, ...specialty].flatMap(({ text, coding = [] }) => [
    text,
    ...coding.flatMap(({ display, code }) => [display, code]),
  ]),
});

type Schedules = { active: Schedule[]; inactive: ReadonlySet<string | undefined> };

/** Read once per run. */
const schedulesOfRun = new WeakMap<Run, Promise<Schedules>>();
const allSchedules = (run: Run): Promise<Schedules> => {
  const reading = schedulesOfRun.get(run) ?? readSchedules(run);
  schedulesOfRun.set(run, reading);
  return reading;
};

async function readSchedules(run: Run): Promise<Schedules> {
  const { schedules, isInactive } = await loadSchedules(run);
  return { active: schedules.filter((one) => !isInactive(one)), inactive: new Set(schedules.filter(isInactive).map(({ id }) => id)) };
}

export const findSchedules = async (run: Run, query: SlotCriteria): Promise<Schedules> => {
  const { active, inactive } = await allSchedules(run);
  const fitting = active.filter((schedule) => {
    const { doctor, places, service } = searchTermsOf(run, schedule);
    if (query.schedule !== undefined && schedule.id !== query.schedule) return false;
    return isMeantDoctor(query, doctor) && matchesService(service, query.service) && matchesPlace(places, query.location);
  });
  return { active: fitting, inactive };
};

/** undefined also if the list is incomplete or has no names. */
export async function unmatchedTerm(run: Run, query: SlotCriteria): Promise<Unmatched | undefined> {
  const { active, inactive } = await allSchedules(run);
  if (active.length + inactive.size >= maxSchedules) return undefined;
  const all = active.map((schedule) => searchTermsOf(run, schedule));
  const isTold = (texts: (string | undefined)[][]) => texts.some((words) => words.some((text) => text !== undefined));
  const names = all.map(({ doctor }) => doctor.names);
  if (isTold(names) && !names.some((texts) => matchesDoctor(texts, query.practitioner))) return { term: "practitioner" };
  const services = all.map(({ service }) => service);
  if (isTold(services) && !services.some((texts) => matchesService(texts, query.service))) return { term: "service" };
  const places = all.map((one) => one.places);
  if (!places.some((texts) => matchesPlace(texts, query.location)))
    return { term: "location", places: [...new Set(places.flatMap(([name, city]) => name ?? city ?? []))] };
  return query.gender !== undefined && all.every(({ doctor }) => doctor.genders.length === 0) ? { term: "gender" } : undefined;
}

/**
 * undefined at a server without schedules. AppError `slot_taken` if the schedule or one of its actors is inactive. Searched to include
 * actors, else read by id.
 */
export async function readSchedule(run: Run, id: string | undefined): Promise<Schedule | undefined> {
  if (id === undefined) return undefined;
  const found = (await searchById(run, id)) ?? (await readById(run, id));
  const schedule = found?.schedules.find((one) => one.id === id);
  if (schedule && found?.isInactive(schedule)) throw new AppError("slot_taken", "The schedule is not in use.");
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

type LoadedSchedules = { schedules: Schedule[]; isInactive(schedule: Schedule): boolean };

/**
 * Loads schedules with actor names and whether they are in use. One request if the server includes actors; otherwise one more for
 * practitioners, and one for uncached locations.
 */
async function loadSchedules(run: Run, params: Record<string, string> = {}): Promise<LoadedSchedules> {
  const ehrWithActors = await openIfAllowed(run, calendarScopes);
  const search = { ...params, ...(ehrWithActors ? { _include: "Schedule:actor" } : {}), _count: String(maxSchedules) };
  const found = await (ehrWithActors ?? run.ehr).search<Schedule>("Schedule", search, { signal: run.signal, maxResources: maxSchedules });
  const schedules = found.filter(({ resourceType }) => resourceType === "Schedule");
  const included = (found as FhirResource[]).filter(isActor);
  for (const one of included) cacheActor(run, one);
  await loadActors(run, schedules.filter(isActive), new Set(included.map(({ resourceType, id }) => `${resourceType}/${id}`)));
  return loadedSchedules(run, schedules);
}

async function loadActorsOf(run: Run, schedule: Schedule): Promise<LoadedSchedules> {
  await loadActors(run, [schedule].filter(isActive), new Set());
  return loadedSchedules(run, [schedule]);
}

async function loadActors(run: Run, schedules: Schedule[], included: ReadonlySet<string>): Promise<void> {
  const actors = schedules.flatMap(({ actor }) => actor);
  const people = actorKeys("Practitioner", actors).filter((key) => !included.has(key));
  const places = actorKeys("Location", actors).filter((key) => !included.has(key) && !cachedActor(run, key));
  await awaitAllThenThrow([searchActors<Practitioner>(run, "Practitioner", people), searchActors<Location>(run, "Location", places)]);
}

const loadedSchedules = (run: Run, schedules: Schedule[]): LoadedSchedules => ({
  schedules: schedules.map((one) => ({ ...one, actor: one.actor.map((actor) => withDisplay(run, actor)) })),
  isInactive: (schedule) =>
    !isActive(schedule) || schedule.actor.some(({ reference }) => cachedActor(run, actorKey(reference) ?? "")?.isInactive),
});

const displayOf = (actors: Reference[], ...types: string[]): string | undefined =>
  actors.find(({ reference }) => types.some((type) => referencedId(reference, type)))?.display;

const practitionerAndLocation = (actors: Reference[]): { practitioner?: string; location?: string } => {
  const practitioner = displayOf(actors, "Practitioner", "PractitionerRole");
  const location = displayOf(actors, "Location");
  return { ...(practitioner ? { practitioner } : {}), ...(location ? { location } : {}) };
};

/** Who and where, as far as the server tells, and the gender where an earlier answer told it. */
export function doctorAndLocation(run: Run, actors: Reference[]): Pick<OpenSlot, "practitioner" | "location" | "gender"> {
  const gender = actorKeys("Practitioner", actors).flatMap((key) => cachedActor(run, key)?.gender ?? [])[0];
  return { ...practitionerAndLocation(actors), ...(gender ? { gender } : {}) };
}

/** `city` where the name of the place does not say it. */
export function doctorAndPlace(run: Run, actors: Reference[]): Pick<OpenSlot, "practitioner" | "location" | "gender" | "city"> {
  const { gender, ...shown } = doctorAndLocation(run, actors);
  const city = actorKeys("Location", actors).flatMap((key) => cachedActor(run, key)?.city ?? [])[0];
  const isSaid = city === undefined || shown.location?.toLowerCase().includes(city.toLowerCase());
  return { ...shown, ...(gender ? { gender } : {}), ...(isSaid ? {} : { city }) };
}

export const practitionerAndLocationScopes = ["system/Practitioner.rs", "system/Location.rs"];

const calendarScopes = ["system/Schedule.rs", ...practitionerAndLocationScopes];

const maxActors = 100;

const isActive = ({ active }: { active?: boolean | undefined }): boolean => active !== false;

type ActorType = "Practitioner" | "Location";

/** "Practitioner/17", from any form of the reference. */
const actorKey = (reference: string | undefined): string | undefined =>
  (["Practitioner", "Location"] as const).flatMap((type) => {
    const id = referencedId(reference, type);
    return id === undefined ? [] : [`${type}/${id}`];
  })[0];

type CachedActor = {
  name: string | undefined;
  gender?: Gender | undefined;
  city?: string | undefined;
  isInactive: boolean;
  untilMs: number;
};

/** Names are cached; whether a practitioner is active is asked each time. */
const actorCache = new Map<string, CachedActor>();

const cacheLifetimeMs = 5 * 60_000;

const maxCachedActors = 5000;

export const cachedActor = ({ ehr, ctx }: Run, key: string): CachedActor | undefined => {
  const known = actorCache.get(`${ehr.providerId} ${key}`);
  return known && known.untilMs > ctx.clock().getTime() ? known : undefined;
};

function cacheEntry({ ehr, ctx }: Run, key: string, known: Omit<CachedActor, "untilMs">): void {
  if (actorCache.size >= maxCachedActors) actorCache.clear();
  actorCache.set(`${ehr.providerId} ${key}`, { ...known, untilMs: ctx.clock().getTime() + cacheLifetimeMs });
}

export const isActor = (one: FhirResource): one is Practitioner | Location =>
  one.resourceType === "Practitioner" || one.resourceType === "Location";

export const cacheActor = (run: Run, one: Practitioner | Location): void =>
  cacheEntry(
    run,
    `${one.resourceType}/${one.id}`,
    one.resourceType === "Practitioner"
      ? { name: displayName(one.name), gender: genderOf(one), isInactive: !isActive(one) }
      : {
          name: spokenLine(one.name),
          city: spokenLine(one.address?.city),
          isInactive: one.status === "inactive" || one.status === "suspended",
        },
  );

const genderOf = ({ gender }: Pick<Practitioner, "gender">): Gender | undefined =>
  gender === "female" || gender === "male" ? gender : undefined;

/** Caches actors by id, if the connection and server allow it. */
export async function searchActors<T extends Practitioner | Location>(run: Run, type: T["resourceType"], keys: string[]): Promise<void> {
  const ehr = keys.length > 0 ? await openIfAllowed(run, calendarScopes) : undefined;
  if (!ehr || !(await ehr.capability({ signal: run.signal })).supports(type, "search-type")) return;
  const ids = keys.slice(0, maxActors).map((key) => key.slice(type.length + 1));
  const found = await ehr
    .search<T>(type, { _id: ids.join(","), _count: String(maxActors) }, { signal: run.signal, maxResources: maxActors })
    .catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
  for (const key of keys) if (!cachedActor(run, key)) cacheEntry(run, key, { name: undefined, isInactive: false });
  for (const one of found) if (one.resourceType === type) cacheActor(run, one);
}

export const actorKeys = (type: ActorType, actors: readonly Reference[]): string[] => [
  ...new Set(actors.flatMap(({ reference }) => actorKey(reference) ?? []).filter((key) => key.startsWith(`${type}/`))),
];

export const withDisplay = (run: Run, actor: Reference): Reference => {
  const display = actor.display ?? cachedActor(run, actorKey(actor.reference) ?? "")?.name;
  return display === undefined ? actor : { ...actor, display };
};

/** Fills in missing practitioner and location names where possible. */
export async function withActorNames<T extends Appointment>(run: Run, appointments: T[]): Promise<T[]> {
  const unnamed = appointments.flatMap(({ participant }) => participant.flatMap(({ actor }) => (actor && !actor.display ? [actor] : [])));
  const unknown = (type: ActorType) => actorKeys(type, unnamed).filter((key) => !cachedActor(run, key));
  await awaitAllThenThrow([
    searchActors<Practitioner>(run, "Practitioner", unknown("Practitioner")),
    searchActors<Location>(run, "Location", unknown("Location")),
  ]).catch((error: unknown) => run.ctx.log("warn", "tool.without_names", errorFields(error)));
  return appointments.map((one) => ({
    ...one,
    participant: one.participant.map((each) => (each.actor ? { ...each, actor: withDisplay(run, each.actor) } : each)),
  }));
}
