import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { CallOptions, Capability, CapabilitySummary, FhirVersion } from "@vitaline/fhir";
import { type FhirCapabilityRow, type FhirProviderRow, keys } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { connectionDigestOf } from "../provider/credentials.ts";
import type { EhrRequestContext } from "./access-token.ts";
import { cachedLocally, createLocalCache, getShared, replaceShared, type SharedValue } from "./shared-value.ts";

const lifetimeMs = 3_600_000;
const cache = createLocalCache<CapabilitySummary>();

type Endpoint = "main" | "scheduling";
type Ask = (options: CallOptions) => Promise<CapabilitySummary>;

export const isCapabilityCached = (ctx: EhrRegistryContext, providerId: string): boolean =>
  cachedLocally(ctx, cache, keys.fhirCapability(providerId, "main")) !== undefined;

/**
 * Reads the server's capabilities for createFhirClient: cached for an hour or until the connection changes; only one function instance requests at a
 * time. `knownRow`: the row as the caller already read it, null if absent.
 */
export const sharedCapabilityReader =
  (ctx: EhrRequestContext, provider: FhirProviderRow, endpoint: Endpoint, knownRow?: FhirCapabilityRow | null) =>
  (ask: Ask, { signal }: CallOptions = {}): Promise<CapabilitySummary> =>
    getShared(ctx, capabilityValue(ctx, provider, endpoint, ask), { knownRow, signal });

/** Stores a new capability for all instances, unless this instance stored the same one within the last half hour. */
export async function saveCapability(ctx: EhrRegistryContext, provider: FhirProviderRow, summary: CapabilitySummary): Promise<void> {
  const current = toCachedValue(ctx, provider, summary);
  const known = cachedLocally(ctx, cache, keys.fhirCapability(provider.id, "main"));
  const isRecent = known?.connectionDigest === current.connectionDigest && known.untilMs > current.untilMs - lifetimeMs / 2;
  if (isRecent && JSON.stringify(known.value) === JSON.stringify(summary)) return;
  await replaceShared(
    ctx,
    capabilityValue(ctx, provider, "main", async () => summary),
    current,
  );
}

const toCachedValue = (ctx: EhrRegistryContext, provider: FhirProviderRow, value: CapabilitySummary) => ({
  value,
  connectionDigest: connectionDigestOf(provider),
  untilMs: ctx.clock().getTime() + lifetimeMs,
});

function capabilityValue(
  ctx: EhrRequestContext,
  provider: FhirProviderRow,
  endpoint: Endpoint,
  ask: Ask,
): SharedValue<CapabilitySummary, FhirCapabilityRow> {
  return {
    cache,
    key: keys.fhirCapability(provider.id, endpoint),
    connectionDigest: connectionDigestOf(provider),
    check: () => ctx.circuit?.check(new URL(provider.baseUrl).origin),
    async decode({ compressedCapability, connectionDigest = "", untilMs = 0 }) {
      return compressedCapability === undefined ? undefined : { value: decompress(compressedCapability), connectionDigest, untilMs };
    },
    fetch: async (signal) => toCachedValue(ctx, provider, await ask({ signal })),
    encode: async ({ value, connectionDigest, untilMs }) => ({ compressedCapability: compress(value), connectionDigest, untilMs }),
  };
}

/** A CapabilityStatement is repetitive, and DynamoDB bills by size. */
const compress = (summary: CapabilitySummary): string => deflateRawSync(JSON.stringify(summary)).toString("base64");
const decompress = (text: string): CapabilitySummary =>
  JSON.parse(inflateRawSync(Buffer.from(text, "base64")).toString()) as CapabilitySummary;

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
