import type { Capability, FhirVersion } from "@vitaline/fhir";
import type { FhirProviderRow } from "@vitaline/store";

/** "operation": by the server's $match; "search": by a search and our own comparison. */
type PatientMatch = "operation" | "search";
/** "propose-only": the clinic's staff confirms the appointment. */
export type Booking = "slot-and-post" | "find-and-book" | "propose-only" | "unsupported";
/** What a server does, where servers differ. */
export type ServerBehavior = {
  match: PatientMatch;
  /** Name parameters of a patient search: "each": given and family name; "one": the start of any name; "any": several such starts. */
  names: "each" | "one" | "any";
  booking: Booking;
  slotSearch: "any" | "schedule-and-range";
  /** "minimal": one slot and one patient, without a comment. */
  appointmentBody: "full" | "minimal";
  /** A booked slot is not free, so nothing else has to be checked. */
  slotsReflectAppointments: boolean;
  /** An appointment keeps our identifiers, by which it is found again. */
  keepsIdentifiers: boolean;
  communicateTo: "patient" | "staff";
  /** Whether a search for conditions requires a category; without one it also finds conditions that have none. */
  conditionsNeedCategory: boolean;
};

type Vendor = Pick<FhirProviderRow, "providerType" | "fhirVersion" | "baseUrl">;

/**
 * From the server's capability, and from the vendor's documents for what it does not state. FhirClient.change chooses how a resource is
 * updated.
 */
export function serverBehaviorOf(vendor: Vendor, capability: Capability): ServerBehavior {
  // Oracle Health (Cerner), by its public documents.
  const isOracle = vendor.providerType === "cerner";
  const booking = bookingOf(vendor, capability);
  return {
    match: vendor.fhirVersion !== "DSTU2" && capability.operation("Patient", "match") ? "operation" : "search",
    names: namesOf(vendor),
    booking,
    slotSearch: isOracle ? "schedule-and-range" : "any",
    appointmentBody: isOracle ? "minimal" : "full",
    slotsReflectAppointments: isOracle,
    keepsIdentifiers: booking === "slot-and-post" && !isOracle,
    communicateTo: isOracle ? "staff" : "patient",
    // Source: Epic on FHIR, Condition.Search: category or code is required.
    conditionsNeedCategory: vendor.providerType === "epic",
  };
}

/**
 * Epic requires given, family and birthdate together (Epic on FHIR, Patient.Search). US Core requires a search by name and birthdate of all
 * servers; only FHIR itself allows several values, so other vendors get one.
 */
const namesOf = ({ providerType }: Vendor): ServerBehavior["names"] =>
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
