import { PlatformCallId } from "@vitaline/contract";
import { timeZoneOf } from "@vitaline/offices";
import type { VoiceProviderRow } from "@vitaline/store";
import { inBothLanguages } from "@vitaline/tools";
import * as z from "zod/mini";
import type { AnsweringAgent, IncomingCall } from "../voice-platform.ts";
import { customerNumber, readMessage, tenantNumber } from "./webhook.ts";

/** Sent for a call to a number without an assistant. Source: Vapi server SDK 2.0.1 ServerMessageAssistantRequest. */
export function decodeIncoming(body: unknown): IncomingCall | undefined {
  const message = readMessage(body);
  if (message?.type !== "assistant-request") return undefined;
  return {
    platform: "vapi",
    // The request is not stored, so an invalid id is ignored.
    callId: z.safeParse(PlatformCallId, message.call?.id).data,
    agentId: message.call?.assistantId,
    calledNumber: tenantNumber(message),
    callerNumber: customerNumber(message),
  };
}

/**
 * The assistant with model, voice and template variables, or an error that Vapi speaks before hanging up. Source: Vapi server SDK
 * 2.0.1 ServerMessageResponseAssistantRequest.
 */
export function answerIncoming(_incoming: IncomingCall, answering: AnsweringAgent | undefined): object {
  if (!answering) return { error: inBothLanguages("notSetUp") };
  const { agent, provider, tenant, office } = answering;
  const variableValues = {
    tenant_name: tenant.name,
    time_zone: timeZoneOf(tenant, office),
    ...(office ? { office_name: office.name } : {}),
    ...(office?.phone ? { office_phone: office.phone } : {}),
    ...(office?.address ? { office_address: office.address } : {}),
  };
  return { assistantId: agent.externalAgentId, assistantOverrides: { ...overridesOf(provider), variableValues } };
}

/** Those that need only a name. Source: Vapi server SDK 2.0.1 AssistantOverridesModel and AssistantOverridesVoice. */
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
 * Objects from the provider's settings as they are, else text such as "openai/gpt-4.1" or "11labs/sarah". Anything else keeps the
 * assistant's own: Vapi refuses the whole answer for an incomplete override.
 */
function overridesOf({ model, voice, settings }: Pick<VoiceProviderRow, "model" | "voice" | "settings">): object {
  const given = z.parse(Settings, JSON.parse(settings));
  const [byModel, byVoice] = [split(model, modelProviders), split(voice, voiceProviders)];
  return {
    ...(given.model ? { model: given.model } : byModel ? { model: { provider: byModel.provider, model: byModel.name } } : {}),
    ...(given.voice ? { voice: given.voice } : byVoice ? { voice: { provider: byVoice.provider, voiceId: byVoice.name } } : {}),
  };
}

/** Splits at the first slash: names at openrouter contain more. */
function split(text: string | undefined, known: readonly string[]): { provider: string; name: string } | undefined {
  const [, provider = "", name = ""] = /^([^/\s]+)\/(\S+)$/.exec(text?.trim() ?? "") ?? [];
  return known.includes(provider) ? { provider, name } : undefined;
}
