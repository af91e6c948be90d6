import type { VoiceProviderType } from "@vitaline/contract";
import { elevenLabs } from "./elevenlabs/index.ts";
import { openAi } from "./openai/index.ts";
import type { VoicePlatform } from "./port.ts";
import { retell } from "./retellai/index.ts";
import { vapi } from "./vapi/index.ts";

/** Every voice platform's adapter. */
export const voicePlatforms: Readonly<Record<VoiceProviderType, VoicePlatform>> = {
  vapi,
  retellai: retell,
  elevenlabs: elevenLabs,
  openai: openAi,
};
