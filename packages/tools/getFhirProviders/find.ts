import { allDone, AppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Practitioner } from "fhir/r4.js";
import type { Ran, Run } from "../sdk/run.ts";
import { openAlso } from "../sdk/optional-scopes.ts";
import type { Input, Output } from "./schema.ts";
import { isNamed, isPlace, searchWord } from "./matching.ts";
import { isActive, type Known, knownOf, lacksPlaces, searchLocations, searchMissing, searchRoles, withRolesOf } from "./roles.ts";
import { isSpecialty } from "../speech/specialties.ts";

const offered = 5;
const mostNamed = 100;
/** So many of a name are few enough to ask for the roles of each. */
const mostWithRoles = 25;

const roleScopes = ["system/PractitionerRole.rs", "system/Practitioner.rs", "system/Location.rs"];

/**
 * Providers by any of name, specialty and location. A server without roles knows names alone, and a wish for more than a name is
 * AppError `ehr_unsupported` there.
 */
export async function find(run: Run, wish: Input): Promise<Ran<Output>> {
  const { supports } = await run.ehr.capability({ signal: run.signal });
  const roles = supports("PractitionerRole", "search-type") ? await openAlso(run, roleScopes) : undefined;
  const known = roles ? await findWithRoles(run, roles, wish) : await findByNameAlone(run, wish, supports("Practitioner", "search-type"));
  const providers = known
    .map(({ name, specialties, locations }) => ({ name, specialties, locations }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return { output: { providers: providers.slice(0, offered), more: Math.max(0, providers.length - offered) } };
}

async function findWithRoles(run: Run, roles: Ehr, { name, specialty, location }: Input): Promise<Known[]> {
  const named = name === undefined ? undefined : (await findNamed(run, name)).slice(0, mostWithRoles);
  if (named?.length === 0) return [];
  const found = await searchRoles(roles, run.signal, named);
  // Where it is said in words, a place needs looking up only for the town it is in.
  const [places, people] = await allDone([
    location === undefined && !lacksPlaces(found) ? [] : searchLocations(roles, run.signal, found),
    named ? [] : searchMissing(roles, run.signal, found),
  ]);
  return withRolesOf(named ?? [], [...found, ...people, ...places]).filter(
    ({ specialties, locations, towns }) =>
      (specialty === undefined || specialties.some((text) => isSpecialty(text, specialty))) &&
      (location === undefined || [...locations, ...towns].some((text) => isPlace(text, location))),
  );
}

async function findByNameAlone(run: Run, { name, specialty, location }: Input, isSupported: boolean): Promise<Known[]> {
  if (!isSupported) throw new AppError("ehr_unsupported", "The record system has no search for practitioners.");
  if (name === undefined && (specialty ?? location) !== undefined)
    throw new AppError("ehr_unsupported", "The record system does not say what its practitioners do, or where.");
  return (await findNamed(run, name)).flatMap((one) => knownOf(one) ?? []);
}

/** Servers compare names by how they begin, so they are asked for a beginning and the rest is compared here. */
async function findNamed({ ehr, signal }: Run, name: string | undefined): Promise<Practitioner[]> {
  const word = name === undefined ? undefined : searchWord(name);
  if (word === "") return [];
  const found = await ehr.search<Practitioner>("Practitioner", word ? { name: word } : {}, { signal, maxResources: mostNamed });
  return found.filter((one) => {
    const known = one.resourceType === "Practitioner" && isActive(one) ? knownOf(one) : undefined;
    return known !== undefined && (name === undefined || isNamed(known.name, name));
  });
}
