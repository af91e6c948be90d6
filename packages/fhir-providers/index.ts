export { currentHealth } from "./health/save-health.ts";
export { assignFhirProvider, assignOfficeFhirProvider, listFhirAssignments } from "./registry/assignments.ts";
export { beginAuthorization, type SessionRef } from "./oauth/authorize.ts";
export { completeAuthorization, type AuthorizationOutcome } from "./oauth/oauth-callback.ts";
export { createFhirProvider, listFhirProviders, updateFhirProvider } from "./registry/registry.ts";
export { discoverFhirServer } from "./registry/discover-server.ts";
export { checkFhirProvider, fhirHealthStatus, probeFhirProvider } from "./health/health.ts";
export { closeCircuits } from "./ehr/circuit.ts";
export { type Ehr, openEhr, type PrefetchedEhr, prefetchEhr } from "./ehr/open-ehr.ts";
export type { Booking, ServerBehavior } from "./ehr/server-behavior.ts";
export { findPatients } from "./registry/find-patients.ts";
export { listFhirPresets } from "./registry/presets.ts";
export {
  assignOwnOfficeFhirProvider,
  beginOwnAuthorization,
  createOwnFhirProvider,
  listOwnFhirProviders,
  listTenantFhirProviders,
  testTenantFhirProvider,
  updateOwnFhirProvider,
} from "./registry/tenant-providers.ts";
export { readFhirProviders } from "./provider/provider-row.ts";
export { testFhirProvider } from "./health/connection-test.ts";
