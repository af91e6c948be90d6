import { PlatformCallId } from "@vitaline/contract";
import { zoneOf } from "@vitaline/offices";
import * as z from "zod/mini";
import type { VoiceProviderRow } from "@vitaline/store";
import type { Answering, IncomingCall } from "../port.ts";
import { customerNumber, ownNumber, readMessage } from "./webhook.ts";

const notSetUp = "This number is not set up for the assistant yet. Please call the office directly.";

/** Vapi asks who answers a call to a number that has no assistant of its own. Source: Vapi server SDK 2.0.1 ServerMessageAssistantRequest. */
export function decodeIncoming(body: unknown): IncomingCall | undefined {
  const message = readMessage(body);
  if (message?.type !== "assistant-request") return undefined;
  return {
    platform: "vapi",
    // Nothing is kept of the question, so an odd id is none.
    callId: z.safeParse(PlatformCallId, message.call?.id).data,
    agentId: message.call?.assistantId,
    calledNumber: ownNumber(message),
    callerNumber: customerNumber(message),
  };
}

/**
 * The assistant that answers, with the provider's model and voice and what its prompt may say of the place as `{{office_name}}`;
 * or a sentence for the caller, after which Vapi hangs up. Source: Vapi server SDK 2.0.1 ServerMessageResponseAssistantRequest.
 */
export function answerIncoming(_incoming: IncomingCall, answering: Answering | undefined): object {
  if (!answering) return { error: notSetUp };
  const { agent, provider, tenant, office } = answering;
  const variableValues = {
    tenant_name: tenant.name,
    time_zone: zoneOf(tenant, office),
    ...(office ? { office_name: office.name } : {}),
    ...(office?.phone ? { office_phone: office.phone } : {}),
    ...(office?.address ? { office_address: office.address } : {}),
  };
  return { assistantId: agent.externalAgentId, assistantOverrides: { ...overridesOf(provider), variableValues } };
}

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
function overridesOf({ model, voice, settings }: Pick<VoiceProviderRow, "model" | "voice" | "settings">): object {
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
