import type { Capability, FhirVersion } from "@vitaline/fhir";
import type { FhirProviderRow } from "@vitaline/store";

/** How patients are looked for: by the server's own $match, or by a search and our comparison alone. */
type Match = "operation" | "search";
/** How appointments are made; "propose-only" leaves the yes to the clinic's staff. */
export type Booking = "slot-and-post" | "find-and-book" | "propose-only" | "unsupported";
export type Strategy = {
  match: Match;
  /** How a search names a patient: "each" by given and family name, "one" by the start of any name, "any" by several such starts. */
  names: "each" | "one" | "any";
  booking: Booking;
  /** "strict": slots are searched by schedule within two times and nothing else, and an appointment is sent as one slot and one patient. */
  slotRules: "open" | "strict";
  /** Who may get a Communication. */
  communicateTo: "patient" | "staff";
  /** Whether a search for conditions has to name a category; one without it finds also those that have none. */
  conditionsNeedCategory: boolean;
};

type Vendor = Pick<FhirProviderRow, "providerType" | "fhirVersion" | "baseUrl">;

/**
 * The ways of a vendor's server, by what it says of itself; of what vendors do not say, by what is known of them. How a record is
 * changed (PUT, JSON Patch, not at all) the server says whole, so that is `change` of the client.
 */
export function selectStrategy(vendor: Vendor, capability: Capability): Strategy {
  // Oracle Health, by its public documents: Communication reaches staff alone, and slots and appointments are asked for narrowly.
  const isOracle = vendor.providerType === "cerner";
  return {
    match: vendor.fhirVersion !== "DSTU2" && capability.operation("Patient", "match") ? "operation" : "search",
    names: namesOf(vendor),
    booking: bookingOf(vendor, capability),
    slotRules: isOracle ? "strict" : "open",
    communicateTo: isOracle ? "staff" : "patient",
    // Source: Epic on FHIR, Condition.Search: category or code is required.
    conditionsNeedCategory: vendor.providerType === "epic",
  };
}

/**
 * Source: Epic on FHIR, Patient.Search: given, family and birthdate together. US Core: every server finds by name with birthdate;
 * that a parameter may have several values is FHIR's own rule, which the other vendors' documents do not repeat for names.
 */
const namesOf = ({ providerType }: Vendor): Strategy["names"] =>
  providerType === "epic" ? "each" : providerType === "custom" ? "any" : "one";

function bookingOf(vendor: Vendor, { supports, operation }: Capability): Booking {
  const { providerType, fhirVersion } = vendor;
  // Epic has both operations where a clinic has licensed them, and leaves them out of its statement.
  const isEpics = providerType === "epic" && (fhirVersion === "STU3" || schedulingEndpoint(vendor) !== undefined);
  if (isEpics || (operation("Appointment", "find") && operation("Appointment", "book"))) return "find-and-book";
  if (!supports("Appointment", "create") || !supports("Slot", "search-type")) return "unsupported";
  return providerType === "cerner" && fhirVersion === "DSTU2" ? "propose-only" : "slot-and-post";
}

/** Epic makes appointments in STU3 only, at the address beside that of R4. https://fhir.epic.com/Specifications */
export function schedulingEndpoint({
  providerType,
  fhirVersion,
  baseUrl,
}: Vendor): { baseUrl: string; fhirVersion: FhirVersion } | undefined {
  if (providerType !== "epic" || fhirVersion !== "R4" || !/\/R4$/i.test(baseUrl)) return undefined;
  return { baseUrl: baseUrl.replace(/R4$/i, "STU3"), fhirVersion: "STU3" };
}
