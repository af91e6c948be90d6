export { generatePlatformKey, jwksMaxAgeSeconds } from "./generate.ts";
export { keySet, signWithPlatformKey } from "./sign.ts";
