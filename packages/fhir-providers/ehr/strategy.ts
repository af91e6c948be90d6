import type { Capability, FhirVersion } from "@vitaline/fhir";
import type { FhirProviderRow } from "@vitaline/store";

/** "operation": by the server's $match; "search": by a search and our own comparison. */
type PatientMatch = "operation" | "search";
/** "propose-only": the clinic's staff confirms the appointment. */
export type Booking = "slot-and-post" | "find-and-book" | "propose-only" | "unsupported";
export type Strategy = {
  match: PatientMatch;
  /** Name parameters of a patient search: "each": given and family name; "one": the start of any name; "any": several such starts. */
  names: "each" | "one" | "any";
  booking: Booking;
  /** "strict": slots are searched only by schedule and time range, and an appointment is sent with one slot and one patient. */
  slotRules: "open" | "strict";
  communicateTo: "patient" | "staff";
  /** Whether a search for conditions requires a category; without one it also finds conditions that have none. */
  conditionsNeedCategory: boolean;
};

type Vendor = Pick<FhirProviderRow, "providerType" | "fhirVersion" | "baseUrl">;

/**
 * From the server's capability, and from the vendor's documents for what it does not state. FhirClient.change chooses how a resource is
 * updated.
 */
export function selectStrategy(vendor: Vendor, capability: Capability): Strategy {
  // Oracle Health (Cerner), by its public documents.
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
 * Epic requires given, family and birthdate together (Epic on FHIR, Patient.Search). US Core requires a search by name and birthdate of all
 * servers; only FHIR itself allows several values, so other vendors get one.
 */
const namesOf = ({ providerType }: Vendor): Strategy["names"] =>
  providerType === "epic" ? "each" : providerType === "custom" ? "any" : "one";

function bookingOf(vendor: Vendor, { supports, operation }: Capability): Booking {
  const { providerType, fhirVersion } = vendor;
  // Epic has both operations where licensed, but does not list them in its CapabilityStatement.
  const isEpicScheduling = providerType === "epic" && (fhirVersion === "STU3" || schedulingEndpoint(vendor) !== undefined);
  if (isEpicScheduling || (operation("Appointment", "find") && operation("Appointment", "book"))) return "find-and-book";
  if (!supports("Appointment", "create") || !supports("Slot", "search-type")) return "unsupported";
  return providerType === "cerner" && fhirVersion === "DSTU2" ? "propose-only" : "slot-and-post";
}

/** Epic schedules in STU3 only, at the URL beside R4's. https://fhir.epic.com/Specifications */
export function schedulingEndpoint({
  providerType,
  fhirVersion,
  baseUrl,
}: Vendor): { baseUrl: string; fhirVersion: FhirVersion } | undefined {
  if (providerType !== "epic" || fhirVersion !== "R4" || !/\/R4$/i.test(baseUrl)) return undefined;
  return { baseUrl: baseUrl.replace(/R4$/i, "STU3"), fhirVersion: "STU3" };
}
