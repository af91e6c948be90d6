export { demoClientId } from "./auth/scopes.ts";
export { vendorMessage } from "./faults/fault-effects.ts";
export { startSandboxEhr, type SandboxEhr, type SandboxOptions } from "./start.ts";
export type { Address, ServerAddresses } from "./servers.ts";
export type { ClientRegistration } from "./auth/client-keys.ts";
export { demoPatients, type DemoPatient } from "./seed/index.ts";
export { startDemoClient, type DemoClient } from "./auth/demo-client.ts";
