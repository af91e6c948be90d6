import { errorFields, isAppError, awaitAllThenThrow } from "@vitaline/core";
import type { Appointment, FhirResource, Location, Practitioner, Reference } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { referencedId } from "../sdk/references.ts";
import { displayName, spokenLine } from "../speech/speech-text.ts";
import { openIfAllowed } from "../sdk/optional-scopes.ts";
import type { Gender, OpenSlot } from "./slot-source.ts";

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

export const actorScopes = ["system/Practitioner.rs", "system/Location.rs"];

export const calendarScopes = ["system/Schedule.rs", ...actorScopes];

const maxActors = 100;

export const isActive = ({ active }: { active?: boolean | undefined }): boolean => active !== false;

type ActorType = "Practitioner" | "Location";

/** "Practitioner/17", from any form of the reference. */
export const actorKey = (reference: string | undefined): string | undefined =>
  (["Practitioner", "Location"] as const).flatMap((type) => {
    const id = referencedId(reference, type);
    return id === undefined ? [] : [`${type}/${id}`];
  })[0];

type CachedActor = { name: string | undefined; gender?: Gender | undefined; city?: string | undefined; isClosed: boolean; untilMs: number };

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
      ? { name: displayName(one.name), gender: genderOf(one), isClosed: !isActive(one) }
      : {
          name: spokenLine(one.name),
          city: spokenLine(one.address?.city),
          isClosed: one.status === "inactive" || one.status === "suspended",
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
  for (const key of keys) if (!cachedActor(run, key)) cacheEntry(run, key, { name: undefined, isClosed: false });
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
