import type { VoiceProviderType } from "@vitaline/contract";
import type { VoicePlatform } from "./voice-platform.ts";

const loaders: Readonly<Record<VoiceProviderType, () => Promise<VoicePlatform>>> = {
  vapi: async () => (await import("./vapi/adapter.ts")).vapi,
  retellai: async () => (await import("./retellai/adapter.ts")).retellAi,
  elevenlabs: async () => (await import("./elevenlabs/adapter.ts")).elevenLabs,
  openai: async () => (await import("./openai/adapter.ts")).openAi,
};

/** Loaded for its first request, so that a caller does not wait for the other platforms. */
export const loadVoicePlatform = (type: VoiceProviderType): Promise<VoicePlatform> => loaders[type]();

type FlatSummary = typeof import("./vapi/call-events.ts").decodeFlatSummary;
/** A call summary that only Vapi automations send. */
export const decodeFlatSummary = async (...given: Parameters<FlatSummary>): Promise<ReturnType<FlatSummary>> =>
  (await import("./vapi/call-events.ts")).decodeFlatSummary(...given);
