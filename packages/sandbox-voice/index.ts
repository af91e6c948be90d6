export { faultyKeys, vendorMessage } from "./faults.ts";
export { prompt } from "./agents.ts";
export { startSandboxVoice, type SandboxVoice } from "./start.ts";
export { openSideband, refuseUpgrade } from "./sideband.ts";
