import { settleAll, errorFields, isAppError } from "@vitaline/core";
import type { Appointment, FhirResource, Location, Practitioner, Reference, Schedule } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { displayName } from "../speech/names.ts";
import { spokenLine } from "../speech/speech-text.ts";
import { openIfAllowed } from "../sdk/optional-scopes.ts";
import { referencedId } from "../sdk/references.ts";

export const actorScopes = ["system/Practitioner.rs", "system/Location.rs"];
const calendarScopes = ["system/Schedule.rs", ...actorScopes];
const maxActors = 100;
const maxSchedules = 100;

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

export type LoadedSchedules = { schedules: Schedule[]; isClosed(schedule: Schedule): boolean };

/**
 * Loads schedules with actor names and whether they are in use. One request if the server includes actors; otherwise one more for
 * practitioners, and one for uncached locations.
 */
export async function loadSchedules(run: Run, params: Record<string, string> = {}): Promise<LoadedSchedules> {
  const also = await openIfAllowed(run, calendarScopes);
  const asked = { ...params, ...(also ? { _include: "Schedule:actor" } : {}), _count: String(maxSchedules) };
  const found = await (also ?? run.ehr).search<Schedule>("Schedule", asked, { signal: run.signal, maxResources: maxSchedules });
  const schedules = found.filter(({ resourceType }) => resourceType === "Schedule");
  const brought = (found as FhirResource[]).filter(isActor);
  for (const one of brought) cacheActor(run, one);
  await loadActors(run, schedules.filter(isActive), new Set(brought.map(({ resourceType, id }) => `${resourceType}/${id}`)));
  return loadedSchedules(run, schedules);
}

export async function loadActorsOf(run: Run, schedule: Schedule): Promise<LoadedSchedules> {
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
