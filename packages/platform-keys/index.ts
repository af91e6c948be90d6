export { generatePlatformKey } from "./generate.ts";
export { jwksMaxAgeSeconds, listPlatformKeys } from "./read.ts";
export { retirePlatformKey } from "./retire.ts";
export { keySet, signWithPlatformKey } from "./sign.ts";
