import { AppError, awaitAllThenThrow } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Practitioner } from "fhir/r4.js";
import { openIfAllowed, type Run, type RunResult } from "../sdk/run.ts";
import type { Input, Output } from "./schema.ts";
import { matchesName, searchWord } from "../nlu/who/match-names.ts";
import { matchesPlace } from "../nlu/who/read-place.ts";
import { matchesService } from "../scheduling/matching.ts";
import {
  combineRoles,
  isActive,
  lacksLocationNames,
  type ProviderDetails,
  providerFrom,
  searchLocations,
  searchMissingPractitioners,
  searchRoles,
} from "./roles.ts";

const maxProviders = 5;
const maxNamed = 100;
/** The maximum of matching practitioners whose roles are requested by id. */
const maxWithRoles = 25;

const roleScopes = ["system/PractitionerRole.rs", "system/Practitioner.rs", "system/Location.rs"];

/** Finds providers by name, gender, specialty and location. AppError `ehr_unsupported` for more than a name at a server without roles. */
export async function findProviders(run: Run, wish: Input): Promise<RunResult<Output>> {
  if (wish.isUsual) return { output: { providers: [], more: 0, isUsual: true } };
  const { supports } = await run.ehr.capability({ signal: run.signal });
  const roles = supports("PractitionerRole", "search-type") ? await openIfAllowed(run, roleScopes) : undefined;
  const known = roles ? await findWithRoles(run, roles, wish) : await findByNameAlone(run, wish, supports("Practitioner", "search-type"));
  const ofGender = wish.gender === undefined ? known : known.filter(({ gender }) => gender === wish.gender);
  const isElse = ofGender.length === 0 && known.length > 0;
  const providers = (isElse ? known : ofGender)
    .map(({ towns: _towns, ...provider }) => provider)
    .toSorted((a, b) => a.name.localeCompare(b.name));
  const isTold = known.some(({ gender }) => gender !== undefined);
  return {
    output: {
      providers: providers.slice(0, maxProviders),
      more: Math.max(0, providers.length - maxProviders),
      ...(isElse && wish.gender ? { instead: isTold ? wish.gender : ("gender" as const) } : {}),
    },
  };
}

async function findWithRoles(run: Run, roles: Ehr, { name, specialty, location }: Input): Promise<ProviderDetails[]> {
  const named = name === undefined ? undefined : (await findNamed(run, name)).slice(0, maxWithRoles);
  if (named?.length === 0) return [];
  const found = await searchRoles(roles, run.signal, named);
  // Role displays name the location; only the town needs a lookup.
  const [places, people] = await awaitAllThenThrow([
    location === undefined && !lacksLocationNames(found) ? [] : searchLocations(roles, run.signal, found),
    named ? [] : searchMissingPractitioners(roles, run.signal, found),
  ]);
  return combineRoles(named ?? [], [...found, ...people, ...places]).filter(
    ({ specialties, locations, towns }) =>
      (specialty === undefined || specialties.some((text) => matchesService([text], specialty))) &&
      matchesPlace([...locations, ...towns], location),
  );
}

async function findByNameAlone(run: Run, { name, specialty, location }: Input, isSupported: boolean): Promise<ProviderDetails[]> {
  if (!isSupported) throw new AppError("ehr_unsupported", "The record system has no search for practitioners.");
  if (name === undefined && (specialty ?? location) !== undefined)
    throw new AppError("ehr_unsupported", "The record system has no specialties or locations of practitioners.");
  return (await findNamed(run, name)).flatMap((one) => providerFrom(one) ?? []);
}

/** Servers match by prefix, so a prefix is sent and the rest is compared here. */
async function findNamed({ ehr, signal }: Run, name: string | undefined): Promise<Practitioner[]> {
  const word = name === undefined ? undefined : searchWord(name);
  if (word === "") return [];
  const found = await ehr.search<Practitioner>("Practitioner", word ? { name: word } : {}, { signal, maxResources: maxNamed });
  return found.filter((one) => {
    const known = one.resourceType === "Practitioner" && isActive(one) ? providerFrom(one) : undefined;
    return known !== undefined && (name === undefined || matchesName(known.name, name));
  });
}
