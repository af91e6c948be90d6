export { startAws } from "./aws/index.ts";
export { startCloud, type Cloud, type CloudOptions } from "./cloud.ts";
export { startPlatform, type Platform, type PlatformOptions } from "./platform.ts";
export { StartError } from "./lib/run.ts";
