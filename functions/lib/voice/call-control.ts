import { keys } from "@vitaline/store";
import { type CallControl, languageOfCall } from "@vitaline/tools";
import { voicePlatforms } from "@vitaline/voice-providers";
import type { ApiKeyContext } from "../auth/types.ts";
import { platformAccess } from "./platform-access.ts";

/** undefined for a request without a call's token, and for platforms that transfer and end calls themselves. */
export function callControlOf(ctx: ApiKeyContext): CallControl | undefined {
  const { call, log, clock, pause } = ctx;
  if (!call || call.platform === "mcp") return undefined;
  const callKey = keys.callKeyOf(call.platform, call.callId);
  const about = { category: "api_call", resourceType: "Call", resourceId: callKey, callKey, detail: { platform: call.platform } } as const;
  const { connection, record } = platformAccess(ctx, call.voiceProviderId);
  return voicePlatforms[call.platform].callControl?.(call.callId, {
    connection,
    record,
    language: (args) => languageOfCall(ctx, { ...call, callKey, name: "", args }),
    audit: (entry) => ctx.store.commit([], { ...about, ...entry }),
    log,
    clock,
    pause,
  });
}
