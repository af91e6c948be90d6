import type { VoiceProviderType } from "@vitaline/contract";
import { keepSpokenLanguage, languageOfCall, runTool, runTools } from "@vitaline/tools";
import { findAnsweringAgent } from "@vitaline/voice-agents";
import { loadVoicePlatform } from "@vitaline/voice-providers";
import type { HookContext, ApiKeyContext } from "../lib/auth/types.ts";
import { ingestOrKeep } from "../lib/call-events/ingest.ts";
import { platformAccess } from "../lib/voice/platform-access.ts";

type PathParams = { toolName?: string; voiceProviderId?: string };

/** Handles any message of a platform at any of its addresses, because many tenants configure one address for all messages. */
export async function handleMessage(
  ctx: ApiKeyContext | HookContext,
  type: VoiceProviderType,
  body: unknown,
  { toolName, voiceProviderId }: PathParams = {},
): Promise<unknown> {
  const platform = await loadVoicePlatform(type);
  const request = platform.decodeToolCalls(body, { toolName, header: ctx.header });
  if (request) return platform.encodeResults(request, await runTools(ctx, request.calls));
  const transfer = platform.decodeTransfer?.(body);
  if (transfer) return platform.encodeTransfer?.(await runTool(ctx, transfer.call), transfer, await languageOfCall(ctx, transfer.call));
  const incoming = platform.decodeIncoming(body);
  if (incoming) {
    const agent = await findAnsweringAgent(ctx, { ...incoming, ...(voiceProviderId ? { voiceProviderId } : {}) });
    return platform.answerIncoming(incoming, agent, platformAccess(ctx, agent?.provider.id ?? voiceProviderId ?? ""));
  }
  const spoken = platform.decodeLanguage?.(body);
  if (spoken) await keepSpokenLanguage(ctx, spoken.callKey, spoken.language);
  else await ingestOrKeep(ctx, type, body);
  return platform.acknowledge(body);
}
