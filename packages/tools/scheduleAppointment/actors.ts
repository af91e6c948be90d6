import { allDone, isAppError } from "@vitaline/core";
import type { Location, Practitioner, Reference, Schedule } from "fhir/r4.js";
import type { Run } from "../define-tool.ts";
import { nameIn } from "../getFhirProviders/roles.ts";
import { lineOf } from "../in-words.ts";
import { openAlso } from "../open-also.ts";
import { idIn } from "../references.ts";

/** What says who and where a schedule's actors are. */
export const actorScopes = ["system/Practitioner.rs", "system/Location.rs"];
const mostActors = 100;

export const isActive = ({ active }: { active?: boolean | undefined }): boolean => active !== false;

/** "Practitioner/17", wherever a reference has it. */
export const keyOf = (reference: string | undefined): string | undefined =>
  (["Practitioner", "Location"] as const).flatMap((type) => {
    const id = idIn(reference, type);
    return id === undefined ? [] : [`${type}/${id}`];
  })[0];

export type Actors = {
  /** Those who do not work there any more, and places that are shut. */
  closed: ReadonlySet<string | undefined>;
  /** The same schedule, with the names of its actors where it leaves them out. */
  named(schedule: Schedule): Schedule;
};

/**
 * Who the actors of schedules are: all practitioners, as each may have left, and places that are not named. Where the connection does not
 * allow it, or the server has no search for them, they are taken as the schedules have them.
 */
export async function readActors(run: Run, actors: readonly Reference[]): Promise<Actors> {
  const ids = (type: "Practitioner" | "Location", of: readonly Reference[]): string[] => [
    ...new Set(of.flatMap(({ reference }) => idIn(reference, type) ?? [])),
  ];
  const people = ids("Practitioner", actors);
  const places = ids(
    "Location",
    actors.filter(({ display }) => !display),
  );
  const ehr = people.length + places.length > 0 ? await openAlso(run, actorScopes) : undefined;
  const { supports } = ehr ? await ehr.capability({ signal: run.signal }) : { supports: () => false };
  const search = async <T extends Practitioner | Location>(type: T["resourceType"], asked: string[]): Promise<T[]> => {
    if (!ehr || asked.length === 0 || !supports(type, "search-type")) return [];
    const found = await ehr
      .search<T>(type, { _id: asked.slice(0, mostActors).join(",") }, { signal: run.signal, maxResources: mostActors })
      .catch((error: unknown) => {
        if (isAppError(error, "ehr_forbidden", "ehr_unsupported", "ehr_invalid")) return [];
        throw error;
      });
    return found.filter(({ resourceType }) => resourceType === type);
  };
  const [practitioners, locations] = await allDone([search<Practitioner>("Practitioner", people), search<Location>("Location", places)]);
  const names = new Map<string, string | undefined>([
    ...practitioners.map((one) => [`Practitioner/${one.id}`, nameIn(one.name)] as const),
    ...locations.map((one) => [`Location/${one.id}`, lineOf(one.name)] as const),
  ]);
  const closed = new Set([
    ...practitioners.filter((one) => !isActive(one)).map(({ id }) => `Practitioner/${id}`),
    ...locations.filter(({ status }) => status === "inactive" || status === "suspended").map(({ id }) => `Location/${id}`),
  ]);
  return {
    closed,
    named: (schedule) => ({
      ...schedule,
      actor: schedule.actor.map((one) => {
        const display = one.display ?? names.get(keyOf(one.reference) ?? "");
        return display === undefined ? one : { ...one, display };
      }),
    }),
  };
}
