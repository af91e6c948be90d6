import { callerMark, newCallToken } from "@vitaline/api-keys";
import { recordCallEvent } from "@vitaline/calls";
import type { VoiceProviderType } from "@vitaline/contract";
import type { TenantContext } from "@vitaline/store";
import { callerNumberOf, runTool, runTools } from "@vitaline/tools";
import { findAnsweringAgent } from "@vitaline/voice-agents";
import { connectionTo, voicePlatforms, type PlatformAccess } from "@vitaline/voice-providers";
import type { HookContext, KeyContext } from "../lib/auth/types.ts";
import { ingestOrKeep } from "../lib/call-events/ingest.ts";

type PathParams = { toolName?: string; voiceProviderId?: string };

/** Handles any message of a platform at any of its addresses, because many tenants configure one address for all messages. */
export async function handleMessage(
  ctx: KeyContext | HookContext,
  type: VoiceProviderType,
  body: unknown,
  { toolName, voiceProviderId }: PathParams = {},
): Promise<unknown> {
  const platform = voicePlatforms[type];
  const request = platform.decodeToolCalls(body, { toolName, header: ctx.header });
  if (request) return platform.encodeResults(request, await runTools(ctx, request.calls));
  const transfer = platform.decodeTransfer?.(body);
  if (transfer) return platform.encodeTransfer?.(await runTool(ctx, transfer.call), transfer);
  const incoming = platform.decodeIncoming(body);
  if (incoming) {
    const agent = await findAnsweringAgent(ctx, { ...incoming, ...(voiceProviderId ? { voiceProviderId } : {}) });
    return platform.answerIncoming(incoming, agent, platformAccess(ctx, agent?.provider.id ?? voiceProviderId ?? ""));
  }
  await ingestOrKeep(ctx, type, body);
  return platform.acknowledge(body);
}

/** Access to the platform of one voice provider. */
export const platformAccess = (ctx: TenantContext, voiceProviderId: string): PlatformAccess => ({
  origin: ctx.origin,
  connection: () => connectionTo(ctx, voiceProviderId),
  callToken({ platform, callId, callerNumber }, { agent, office }) {
    const caller = callerNumberOf(callerNumber === undefined ? {} : { callerNumber });
    return newCallToken(
      {
        tenantId: ctx.tenantId,
        ...(office ? { officeId: office.id } : {}),
        voiceProviderId,
        platform,
        callId,
        agentId: agent.externalAgentId,
        ...(caller === undefined ? {} : { callerMark: callerMark(ctx.tenantId, caller) }),
      },
      ctx.clock(),
    );
  },
  record: (event) => recordCallEvent(ctx, event),
});
