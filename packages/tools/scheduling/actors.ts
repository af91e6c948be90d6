import { allDone, errorFields, isAppError } from "@vitaline/core";
import type { Appointment, FhirResource, Location, Practitioner, Reference, Schedule } from "fhir/r4.js";
import type { Run } from "../sdk/run.ts";
import { nameIn } from "../speech/names.ts";
import { lineOf } from "../speech/speech-text.ts";
import { openAlso } from "../sdk/optional-scopes.ts";
import { idIn } from "../sdk/references.ts";

/** What says who and where a schedule's actors are. */
export const actorScopes = ["system/Practitioner.rs", "system/Location.rs"];
const calendarScopes = ["system/Schedule.rs", ...actorScopes];
const mostActors = 100;
const maxSchedules = 100;

const isActive = ({ active }: { active?: boolean | undefined }): boolean => active !== false;

type ActorType = "Practitioner" | "Location";
/** "Practitioner/17", wherever a reference has it. */
const keyOf = (reference: string | undefined): string | undefined =>
  (["Practitioner", "Location"] as const).flatMap((type) => {
    const id = idIn(reference, type);
    return id === undefined ? [] : [`${type}/${id}`];
  })[0];

type Known = { name: string | undefined; isClosed: boolean; untilMs: number };
/** Doctors and places of record systems as they were a moment ago. That a doctor has left is asked each time, how they are called is not. */
const remembered = new Map<string, Known>();
const rememberedMs = 5 * 60_000;
const mostRemembered = 5000;

const knownOf = ({ ehr, ctx }: Run, key: string): Known | undefined => {
  const known = remembered.get(`${ehr.providerId} ${key}`);
  return known && known.untilMs > ctx.clock().getTime() ? known : undefined;
};

function remember({ ehr, ctx }: Run, key: string, known: Omit<Known, "untilMs">): void {
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(`${ehr.providerId} ${key}`, { ...known, untilMs: ctx.clock().getTime() + rememberedMs });
}

const isActor = (one: FhirResource): one is Practitioner | Location =>
  one.resourceType === "Practitioner" || one.resourceType === "Location";
const seen = (run: Run, one: Practitioner | Location): void =>
  remember(
    run,
    `${one.resourceType}/${one.id}`,
    one.resourceType === "Practitioner"
      ? { name: nameIn(one.name), isClosed: !isActive(one) }
      : { name: lineOf(one.name), isClosed: one.status === "inactive" || one.status === "suspended" },
  );

/** Asks for those of one type by their ids; nothing where the connection does not allow it, or the server has no search for them. */
async function ask<T extends Practitioner | Location>(run: Run, type: T["resourceType"], keys: string[]): Promise<void> {
  const ehr = keys.length > 0 ? await openAlso(run, calendarScopes) : undefined;
  if (!ehr || !(await ehr.capability({ signal: run.signal })).supports(type, "search-type")) return;
  const ids = keys.slice(0, mostActors).map((key) => key.slice(type.length + 1));
  const found = await ehr
    .search<T>(type, { _id: ids.join(","), _count: String(mostActors) }, { signal: run.signal, maxResources: mostActors })
    .catch((error: unknown) => {
      if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
      throw error;
    });
  for (const key of keys) if (!knownOf(run, key)) remember(run, key, { name: undefined, isClosed: false });
  for (const one of found) if (one.resourceType === type) seen(run, one);
}

const keysOf = (type: ActorType, actors: readonly Reference[]): string[] => [
  ...new Set(actors.flatMap(({ reference }) => keyOf(reference) ?? []).filter((key) => key.startsWith(`${type}/`))),
];

const named = (run: Run, actor: Reference): Reference => {
  const display = actor.display ?? knownOf(run, keyOf(actor.reference) ?? "")?.name;
  return display === undefined ? actor : { ...actor, display };
};

export type Calendars = { schedules: Schedule[]; isClosed(schedule: Schedule): boolean };

/**
 * Schedules with the names of their actors, where these leave them out, and whether they are in use: the schedule, who it is of, and
 * where. One request at a server that brings actors along; elsewhere one more for the practitioners, as each may have left, and now
 * and then one for the places.
 */
export async function readCalendars(run: Run, params: Record<string, string> = {}): Promise<Calendars> {
  const also = await openAlso(run, calendarScopes);
  const asked = { ...params, ...(also ? { _include: "Schedule:actor" } : {}), _count: String(maxSchedules) };
  const found = await (also ?? run.ehr).search<Schedule>("Schedule", asked, { signal: run.signal, maxResources: maxSchedules });
  const schedules = found.filter(({ resourceType }) => resourceType === "Schedule");
  const brought = (found as FhirResource[]).filter(isActor);
  for (const one of brought) seen(run, one);
  await askFor(run, schedules.filter(isActive), new Set(brought.map(({ resourceType, id }) => `${resourceType}/${id}`)));
  return calendars(run, schedules);
}

/** The same of one schedule that was read alone. */
export async function calendarOf(run: Run, schedule: Schedule): Promise<Calendars> {
  await askFor(run, [schedule].filter(isActive), new Set());
  return calendars(run, [schedule]);
}

async function askFor(run: Run, schedules: Schedule[], brought: ReadonlySet<string>): Promise<void> {
  const actors = schedules.flatMap(({ actor }) => actor);
  const people = keysOf("Practitioner", actors).filter((key) => !brought.has(key));
  const places = keysOf("Location", actors).filter((key) => !brought.has(key) && !knownOf(run, key));
  await allDone([ask<Practitioner>(run, "Practitioner", people), ask<Location>(run, "Location", places)]);
}

const calendars = (run: Run, schedules: Schedule[]): Calendars => ({
  schedules: schedules.map((one) => ({ ...one, actor: one.actor.map((actor) => named(run, actor)) })),
  isClosed: (schedule) => !isActive(schedule) || schedule.actor.some(({ reference }) => knownOf(run, keyOf(reference) ?? "")?.isClosed),
});

/** Appointments with the names of those they are with, where the server leaves them out; without where it does not tell them. */
export async function withNames<T extends Appointment>(run: Run, appointments: T[]): Promise<T[]> {
  const unnamed = appointments.flatMap(({ participant }) => participant.flatMap(({ actor }) => (actor && !actor.display ? [actor] : [])));
  const unknown = (type: ActorType) => keysOf(type, unnamed).filter((key) => !knownOf(run, key));
  await allDone([
    ask<Practitioner>(run, "Practitioner", unknown("Practitioner")),
    ask<Location>(run, "Location", unknown("Location")),
  ]).catch((error: unknown) => run.ctx.log("warn", "tool.without_names", errorFields(error)));
  return appointments.map((one) => ({
    ...one,
    participant: one.participant.map((each) => (each.actor ? { ...each, actor: named(run, each.actor) } : each)),
  }));
}
