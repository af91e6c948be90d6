import type { VoiceProviderType } from "@vitaline/contract";
import { runTool, runTools } from "@vitaline/tools";
import { whoAnswers } from "@vitaline/voice-agents";
import { voicePlatforms } from "@vitaline/voice-providers";
import type { HookContext, KeyContext } from "../lib/callers.ts";
import { takeOrKeep } from "../lib/take-or-keep.ts";
import { reachTo } from "./reach.ts";

type Place = { toolName?: string; voiceProviderId?: string };

/** Any message of a platform may come to any of its addresses: many tenants give it one for all. */
export async function answer(ctx: KeyContext | HookContext, type: VoiceProviderType, body: unknown, place: Place = {}): Promise<unknown> {
  const platform = voicePlatforms[type];
  const request = platform.decodeToolCalls(body, { ...(place.toolName ? { toolName: place.toolName } : {}), header: ctx.header });
  if (request) return platform.encodeResults(request, await runTools(ctx, request.calls));
  const transfer = platform.decodeTransfer?.(body);
  if (transfer) return platform.encodeTransfer?.(await runTool(ctx, transfer.call), transfer);
  const incoming = platform.decodeIncoming(body);
  if (incoming) {
    const answering = await whoAnswers(ctx, { ...incoming, ...(place.voiceProviderId ? { voiceProviderId: place.voiceProviderId } : {}) });
    return platform.answerIncoming(incoming, answering, reachTo(ctx, answering?.provider.id ?? place.voiceProviderId ?? ""));
  }
  await takeOrKeep(ctx, type, body);
  return platform.acknowledge(body);
}
