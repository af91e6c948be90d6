export { generatePlatformKey } from "./generate.ts";
export { listPlatformKeys } from "./list.ts";
export { retirePlatformKey } from "./retire.ts";
export { keySet, signWithPlatformKey } from "./sign.ts";
export { jwksMaxAgeSeconds } from "./states.ts";
