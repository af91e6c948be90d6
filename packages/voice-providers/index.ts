export type { Refused, ToolRequest, VoicePlatform } from "./port.ts";
export { vapi } from "./vapi/index.ts";
