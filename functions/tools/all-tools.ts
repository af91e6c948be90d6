export { listTools } from "@vitaline/tools";
export { tenantSnippets } from "@vitaline/voice-providers";
