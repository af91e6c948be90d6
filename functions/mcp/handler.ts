import { contract } from "@vitaline/contract";
import { answerMcp } from "@vitaline/mcp";
import { serve } from "../lib/api/serve.ts";
import { apiKeyAuth } from "../lib/auth/api-key.ts";
import type { ApiKeyContext } from "../lib/auth/types.ts";
import { withLoopbackRule } from "../lib/context/ehr-context.ts";
import { answerAs, type Reply } from "../lib/http/response.ts";
import { keys } from "@vitaline/store";
import { type CallControl, languageOfCall } from "@vitaline/tools";
import { voicePlatforms } from "@vitaline/voice-providers";
import { platformAccess } from "../lib/voice/platform-access.ts";

/** undefined for a request without a call's token, and for platforms that transfer and end calls themselves. */
function callControlOf(ctx: ApiKeyContext): CallControl | undefined {
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

type Path = { tenantId: string; officeId?: string };

const answer = async (ctx: ApiKeyContext, path: Path, body: unknown): Promise<Reply<unknown>> => {
  const response = await answerMcp({ ctx, ...path, body, header: ctx.header, granted: ctx.call, callControl: callControlOf(ctx) });
  return answerAs(response.status, Object.fromEntries(response.headers), await response.text());
};

export const handler = withLoopbackRule(
  serve(contract.mcp, apiKeyAuth, ["directory", "ehr"])({
    mcpTenant: (ctx, { params, body }) => answer(ctx, params, body),
    mcpOffice: (ctx, { params, body }) => answer(ctx, params, body),
  }),
);
