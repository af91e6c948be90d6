import type { Snippet } from "@vitaline/contract";

/** What calls come from, as it writes itself. */
export const platformNames: Record<Snippet["platform"], string> = {
  vapi: "Vapi",
  retellai: "Retell AI",
  elevenlabs: "ElevenLabs",
  openai: "OpenAI Realtime",
  mcp: "MCP",
};
