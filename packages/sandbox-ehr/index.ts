export { demoClientId } from "./demo-scopes.ts";
export { vendorWords } from "./fault-effects.ts";
export { startSandboxEhr, type SandboxEhr, type SandboxOptions } from "./start.ts";
export type { Address, ServerAddresses } from "./servers.ts";
export type { ClientRegistration } from "./client-keys.ts";
export { demoPatients, type DemoPatient } from "./seed/index.ts";
export { startDemoClient, type DemoClient } from "./demo-client.ts";
