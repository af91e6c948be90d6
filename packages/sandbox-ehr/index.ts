export { demoClientId, startSandboxEhr, type SandboxEhr, type SandboxOptions } from "./start.ts";
export { demoPatients, type DemoPatient } from "./seed/index.ts";
export { startDemoClient, type DemoClient } from "./demo-client.ts";
