import type { Ehr } from "@vitaline/fhir-providers";
import type { FhirResource, Location, Practitioner, PractitionerRole } from "fhir/r4.js";
import { conceptText, displayName, spokenLine } from "../speech/speech-text.ts";
import { referencedId } from "../patient/chart.ts";
import type { Provider } from "./schema.ts";

const maxRoles = 300;

export type ProviderDetails = Provider & { towns: string[] };

export const isActive = ({ active }: { active?: boolean | undefined }): boolean => active !== false;

export function providerFrom({ name, gender }: Pick<Practitioner, "name" | "gender">): ProviderDetails | undefined {
  const known = displayName(name);
  return known === undefined ? undefined : { name: known, specialties: [], locations: [], towns: [], ...genderOf(gender) };
}

const genderOf = (gender: Practitioner["gender"]): Pick<Provider, "gender"> => (gender === "female" || gender === "male" ? { gender } : {});

const maxLocations = 50;

/** Roles of these practitioners, or all roles with their practitioners. */
export const searchRoles = (ehr: Ehr, signal: AbortSignal, of: readonly Practitioner[] | undefined): Promise<FhirResource[]> =>
  ehr.search<PractitionerRole>(
    "PractitionerRole",
    {
      ...(of ? { practitioner: of.map(({ id }) => `Practitioner/${id}`).join(",") } : { _include: "PractitionerRole:practitioner" }),
      _count: "100",
    },
    { signal, maxResources: maxRoles },
  );

/** Locations named by roles, for servers that do not include them. */
export async function searchLocations(ehr: Ehr, signal: AbortSignal, roles: readonly FhirResource[]): Promise<Location[]> {
  const ids = roles
    .filter(isA("PractitionerRole"))
    .flatMap(({ location = [] }) => location.flatMap((one) => referencedId(one.reference, "Location") ?? []));
  const searchedIds = [...new Set(ids)].slice(0, maxLocations);
  return searchedIds.length === 0 ? [] : ehr.search<Location>("Location", { _id: searchedIds.join(",") }, { signal });
}

const maxPractitioners = 100;

/** Practitioners named by roles, for servers that do not include them. */
export async function searchMissingPractitioners(ehr: Ehr, signal: AbortSignal, found: readonly FhirResource[]): Promise<Practitioner[]> {
  const known = new Set(found.filter(isA("Practitioner")).map(({ id }) => id));
  const ids = found.filter(isA("PractitionerRole")).flatMap((role) => referencedId(role.practitioner?.reference, "Practitioner") ?? []);
  const searchedIds = [...new Set(ids)].filter((id) => !known.has(id)).slice(0, maxPractitioners);
  return searchedIds.length === 0 ? [] : ehr.search<Practitioner>("Practitioner", { _id: searchedIds.join(",") }, { signal });
}

const isA =
  <T extends FhirResource["resourceType"]>(type: T) =>
  (one: FhirResource): one is Extract<FhirResource, { resourceType: T }> =>
    one.resourceType === type;
const unique = (texts: (string | undefined)[]): string[] => [...new Set(texts.flatMap((text) => text ?? []))];

export const lacksLocationNames = (roles: readonly FhirResource[]): boolean =>
  roles.filter(isA("PractitionerRole")).some(({ location = [] }) => location.some(({ display }) => !display));

/** Merges each practitioner with all active roles; `named` ones are kept without a role. */
export function combineRoles(named: readonly Practitioner[], found: readonly FhirResource[]): ProviderDetails[] {
  const practitioners = new Map([...named, ...found.filter(isA("Practitioner"))].map((one) => [one.id, one]));
  const locations = new Map(found.filter(isA("Location")).map((one) => [one.id, one]));
  const roles = found.filter(isA("PractitionerRole")).filter(isActive);
  const ids = [
    ...new Set([...named.map(({ id }) => id), ...roles.map((role) => referencedId(role.practitioner?.reference, "Practitioner"))]),
  ];
  return ids.flatMap((id) => {
    const practitioner = practitioners.get(id);
    if (id === undefined || (practitioner && !isActive(practitioner))) return [];
    const own = roles.filter((role) => referencedId(role.practitioner?.reference, "Practitioner") === id);
    const name = displayName(practitioner?.name) ?? spokenLine(own.find((role) => role.practitioner?.display)?.practitioner?.display);
    const places = own.flatMap(({ location = [] }) =>
      location.map((one) => ({ one, place: locations.get(referencedId(one.reference, "Location")) })),
    );
    return name === undefined
      ? []
      : {
          name,
          specialties: unique(own.flatMap(({ specialty = [] }) => specialty.map(conceptText))),
          locations: unique(places.map(({ one, place }) => spokenLine(place?.name) ?? spokenLine(one.display))),
          towns: unique(places.map(({ place }) => townOf(place))),
          ...genderOf(practitioner?.gender),
        };
  });
}

const townOf = (place: Location | undefined): string | undefined => spokenLine(place?.address?.city);
