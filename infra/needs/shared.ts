import { partitionPatterns } from "@vitaline/store/partitions.ts";
import type { Needs, TenantNeeds } from "./types.ts";

const { platform, tenant } = partitionPatterns();

export const ownSession = [platform.sessions, platform.user] as const;
export const session = [...ownSession, tenant.config] as const;
/** What every route for a person does first: check the session, and move its idle clock. */
export const signedIn = { http: true, sessionKey: "verify", audits: true } as const satisfies Needs;
/** Where the tenant's rows, its audit among them, are reached through a session of the tenant. */
export const signedInToTenant = { ...signedIn, audits: "platform" } as const satisfies Needs;

/** Opening an EHR: provider and token rows, slot locks, its secret or the platform's signature. */
export const ehr = {
  reads: [platform.fhirProviders, platform.fhirConnection, platform.platformKeys],
  writes: [platform.fhirConnection, platform.platformKeyUse],
  deletes: [platform.fhirSlot],
} as const satisfies Needs;
/** Beside calls and their EHR: which contact points were changed in calls, who may speak for a patient, leads, and tasks. */
const callResults = {
  reads: [tenant.contactChanges, tenant.proxies, tenant.proxiesOfPatients],
  writes: [tenant.contactChanges, tenant.leads, tenant.tasks],
} as const satisfies Needs;
/** What functions that act for one tenant use of all tenants' record systems. */
export const sharedEhrAccess = {
  seals: ["fhir-token"],
  opens: ["fhir-token"],
  fhirSecrets: "use",
  platformKeys: "sign",
  outbound: true,
} as const satisfies Needs;
export const ehrAccess = { ...sharedEhrAccess, seals: ["phi", "fhir-token"], opens: ["phi", "fhir-token"] } as const satisfies Needs;

/** Messages to patients: recent ones, opt-outs, deferred ones. */
export const messages = {
  reads: [tenant.sentTo, tenant.optOuts, platform.outgoing],
  writes: [tenant.sentTo, tenant.optOuts, platform.outgoing],
  deletes: [tenant.sentTo, tenant.optOuts],
} as const satisfies Needs;
export const sending = { mail: "files", sms: true } as const satisfies Needs;

/** What running a tool reaches of one tenant: for calls, test calls and the tool console alike. */
export const toolRuns = {
  audits: true,
  reads: [
    tenant.config,
    tenant.vault,
    tenant.officeNumbers,
    tenant.callItems,
    tenant.idempotency,
    tenant.counters,
    ...callResults.reads,
    ...messages.reads,
  ],
  writes: [
    tenant.officeNumbers,
    tenant.callItems,
    tenant.idempotency,
    tenant.counters,
    platform.due,
    ...callResults.writes,
    ...messages.writes,
  ],
  deletes: [tenant.idempotency, ...messages.deletes],
  seals: ["phi"],
  opens: ["phi"],
  fhirSecrets: "use",
} as const satisfies TenantNeeds;
