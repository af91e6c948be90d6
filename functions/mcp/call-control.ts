import type { CallGrant } from "@vitaline/api-keys";
import type { VoiceProviderType } from "@vitaline/contract";
import { keys } from "@vitaline/store";
import { type CallControl, languageOfCall } from "@vitaline/tools";
import { loadVoicePlatform } from "@vitaline/voice-providers";
import type { ApiKeyContext } from "../lib/auth/types.ts";
import { platformAccess } from "../lib/voice/platform-access.ts";

/** undefined for platforms that transfer and end calls themselves. */
export async function callControlOf(
  ctx: ApiKeyContext,
  call: CallGrant & { platform: VoiceProviderType },
): Promise<CallControl | undefined> {
  const { log, clock, pause } = ctx;
  const callKey = keys.callKeyOf(call.platform, call.callId);
  const about = { category: "api_call", resourceType: "Call", resourceId: callKey, callKey, detail: { platform: call.platform } } as const;
  const { connection, record } = platformAccess(ctx, call.voiceProviderId);
  const platform = await loadVoicePlatform(call.platform);
  return platform.callControl?.(call.callId, {
    connection,
    record,
    language: (args) => languageOfCall(ctx, { ...call, callKey, name: "", args }),
    audit: (entry) => ctx.store.commit([], { ...about, ...entry }),
    log,
    clock,
    pause,
  });
}
