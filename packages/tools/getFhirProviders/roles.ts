import type { Ehr } from "@vitaline/fhir-providers";
import type { FhirResource, Location, Practitioner, PractitionerRole } from "fhir/r4.js";
import { conceptText, lineOf } from "../speech/speech-text.ts";
import { idIn } from "../sdk/references.ts";
import type { Provider } from "./schema.ts";
import { nameIn } from "../speech/names.ts";

const mostRoles = 300;

/** `towns` are where the locations are, as far as it came along. */
export type Known = Provider & { towns: string[] };

export const isActive = ({ active }: { active?: boolean | undefined }): boolean => active !== false;

/** A practitioner alone; undefined for one without a name. */
export function knownOf({ name }: Pick<Practitioner, "name">): Known | undefined {
  const known = nameIn(name);
  return known === undefined ? undefined : { name: known, specialties: [], locations: [], towns: [] };
}

const mostLocations = 50;

/** The roles of these practitioners; or all there are, and whose they are. */
export const searchRoles = (ehr: Ehr, signal: AbortSignal, of: readonly Practitioner[] | undefined): Promise<FhirResource[]> =>
  ehr.search<PractitionerRole>(
    "PractitionerRole",
    {
      ...(of ? { practitioner: of.map(({ id }) => `Practitioner/${id}`).join(",") } : { _include: "PractitionerRole:practitioner" }),
      _count: "100",
    },
    { signal, maxResources: mostRoles },
  );

/** The locations that roles name; not every server brings them along. */
export async function searchLocations(ehr: Ehr, signal: AbortSignal, roles: readonly FhirResource[]): Promise<Location[]> {
  const ids = roles
    .filter(isA("PractitionerRole"))
    .flatMap(({ location = [] }) => location.flatMap((one) => idIn(one.reference, "Location") ?? []));
  const asked = [...new Set(ids)].slice(0, mostLocations);
  return asked.length === 0 ? [] : ehr.search<Location>("Location", { _id: asked.join(",") }, { signal });
}

const mostPractitioners = 100;

/** Whose roles they are, of those whom a server did not bring along. */
export async function searchMissing(ehr: Ehr, signal: AbortSignal, found: readonly FhirResource[]): Promise<Practitioner[]> {
  const known = new Set(found.filter(isA("Practitioner")).map(({ id }) => id));
  const ids = found.filter(isA("PractitionerRole")).flatMap((role) => idIn(role.practitioner?.reference, "Practitioner") ?? []);
  const asked = [...new Set(ids)].filter((id) => !known.has(id)).slice(0, mostPractitioners);
  return asked.length === 0 ? [] : ehr.search<Practitioner>("Practitioner", { _id: asked.join(",") }, { signal });
}

const isA =
  <T extends FhirResource["resourceType"]>(type: T) =>
  (one: FhirResource): one is Extract<FhirResource, { resourceType: T }> =>
    one.resourceType === type;
const each = (texts: (string | undefined)[]): string[] => [...new Set(texts.flatMap((text) => text ?? []))];

/** Whether a role is somewhere that it does not name. */
export const lacksPlaces = (roles: readonly FhirResource[]): boolean =>
  roles.filter(isA("PractitionerRole")).some(({ location = [] }) => location.some(({ display }) => !display));

/** Each practitioner once, with what all active roles say of them; of `named` also those without a role. */
export function withRolesOf(named: readonly Practitioner[], found: readonly FhirResource[]): Known[] {
  const practitioners = new Map([...named, ...found.filter(isA("Practitioner"))].map((one) => [one.id, one]));
  const locations = new Map(found.filter(isA("Location")).map((one) => [one.id, one]));
  const roles = found.filter(isA("PractitionerRole")).filter(isActive);
  const ids = [...new Set([...named.map(({ id }) => id), ...roles.map((role) => idIn(role.practitioner?.reference, "Practitioner"))])];
  return ids.flatMap((id) => {
    const practitioner = practitioners.get(id);
    if (id === undefined || (practitioner && !isActive(practitioner))) return [];
    const own = roles.filter((role) => idIn(role.practitioner?.reference, "Practitioner") === id);
    const name = nameIn(practitioner?.name) ?? lineOf(own.find((role) => role.practitioner?.display)?.practitioner?.display);
    const places = own.flatMap(({ location = [] }) =>
      location.map((one) => ({ one, place: locations.get(idIn(one.reference, "Location")) })),
    );
    return name === undefined
      ? []
      : {
          name,
          specialties: each(own.flatMap(({ specialty = [] }) => specialty.map(conceptText))),
          locations: each(places.map(({ one, place }) => lineOf(place?.name) ?? lineOf(one.display))),
          towns: each(places.map(({ place }) => townOf(place))),
        };
  });
}

const townOf = (place: Location | undefined): string | undefined => lineOf(place?.address?.city);
