export { healthNow } from "./as-fhir-provider.ts";
export { assignFhirProvider, assignOfficeFhirProvider } from "./assign.ts";
export { listFhirAssignments } from "./assignments.ts";
export { beginAuthorization, type SignedIn } from "./authorize.ts";
export { endAuthorization, type Authorized } from "./end-authorization.ts";
export { createFhirProvider } from "./create.ts";
export { discoverFhirServer } from "./discover.ts";
export { checkFhirProvider, fhirHealthStatus, probeFhirProvider } from "./health.ts";
export { listFhirProviders } from "./list.ts";
export { foreseeEhr, openEhr, type Ehr, type Foreseen } from "./open.ts";
export type { Booking, Strategy } from "./strategy.ts";
export { listFhirPresets } from "./presets.ts";
export {
  assignOwnOfficeFhirProvider,
  beginOwnAuthorization,
  createOwnFhirProvider,
  listOwnFhirProviders,
  listTenantFhirProviders,
  testTenantFhirProvider,
  updateOwnFhirProvider,
} from "./tenant-providers.ts";
export { readFhirProviders } from "./read-provider.ts";
export { testFhirProvider } from "./test-connection.ts";
export { updateFhirProvider } from "./update.ts";
