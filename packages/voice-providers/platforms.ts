import type { VoiceProviderType } from "@vitaline/contract";
import { elevenLabs } from "./elevenlabs/adapter.ts";
import { openAi } from "./openai/adapter.ts";
import type { VoicePlatform } from "./voice-platform.ts";
import { retellAi } from "./retellai/adapter.ts";
import { vapi } from "./vapi/adapter.ts";

export const voicePlatforms: Readonly<Record<VoiceProviderType, VoicePlatform>> = {
  vapi,
  retellai: retellAi,
  elevenlabs: elevenLabs,
  openai: openAi,
};
