export { generatePlatformKey } from "./generate.ts";
export { listPlatformKeys, jwksMaxAgeSeconds } from "./read.ts";
export { retirePlatformKey } from "./retire.ts";
export { keySet, signWithPlatformKey } from "./sign.ts";
