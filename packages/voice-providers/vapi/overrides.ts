import type { VoiceProviderRow } from "@vitaline/store";
import * as z from "zod/mini";

/** Those that need a name and nothing else. Source: Vapi server SDK 2.0.1 AssistantOverridesModel and AssistantOverridesVoice. */
export const modelProviders = [
  ...(["anthropic", "anthropic-bedrock", "anyscale", "cerebras", "deepinfra", "deep-seek", "google", "groq"] as const),
  ...(["inflection-ai", "minimax", "openai", "openrouter", "perplexity-ai", "together-ai", "xai"] as const),
];
export const voiceProviders = [
  ...(["11labs", "azure", "cartesia", "deepgram", "hume", "inworld", "lmnt", "microsoft", "minimax", "openai"] as const),
  ...(["playht", "rime-ai", "smallest-ai", "tavus", "vapi", "wellsaid", "xai"] as const),
];

const Settings = z.object({
  model: z.catch(z.optional(z.looseObject({ provider: z.string(), model: z.string() })), undefined),
  voice: z.catch(z.optional(z.looseObject({ provider: z.string() })), undefined),
});

/**
 * The model and voice of a provider as Vapi takes them: objects in its settings as they are, else text as
 * "openai/gpt-4.1" or "11labs/sarah". A bare word does not say whose it is, and Vapi refuses a whole answer for half an
 * override: then the assistant's own stays.
 */
export function overridesOf({ model, voice, settings }: Pick<VoiceProviderRow, "model" | "voice" | "settings">): object {
  const given = z.parse(Settings, JSON.parse(settings));
  const [byModel, byVoice] = [split(model, modelProviders), split(voice, voiceProviders)];
  return {
    ...(given.model ? { model: given.model } : byModel ? { model: { provider: byModel.provider, model: byModel.name } } : {}),
    ...(given.voice ? { voice: given.voice } : byVoice ? { voice: { provider: byVoice.provider, voiceId: byVoice.name } } : {}),
  };
}

/** The first stroke divides: openrouter's names hold more of them. */
function split(text: string | undefined, known: readonly string[]): { provider: string; name: string } | undefined {
  const [, provider = "", name = ""] = /^([^/\s]+)\/(\S+)$/.exec(text?.trim() ?? "") ?? [];
  return known.includes(provider) ? { provider, name } : undefined;
}
