import { mcp } from "@vitaline/contract/voice/tools.ts";
import { answerMcp } from "@vitaline/mcp/endpoint.ts";
import { serve } from "../lib/api/serve.ts";
import { apiKeyAuth } from "../lib/auth/api-key.ts";
import type { ApiKeyContext } from "../lib/auth/types.ts";
import { withOutboundLoopbackRule } from "../lib/context/ehr-context.ts";
import { answerAs, type Reply } from "../lib/http/response.ts";
import type { CallControl } from "@vitaline/tools";

/** undefined for a request without a call's token. */
async function callControlOf(ctx: ApiKeyContext): Promise<CallControl | undefined> {
  const { call } = ctx;
  if (!call || call.platform === "mcp") return undefined;
  const loaded = await import("./call-control.ts");
  return loaded.callControlOf(ctx, { ...call, platform: call.platform });
}

type Path = { tenantId: string; officeId?: string };

const answer = async (ctx: ApiKeyContext, path: Path, body: unknown): Promise<Reply<unknown>> => {
  const response = await answerMcp({ ctx, ...path, body, header: ctx.header, granted: ctx.call, callControl: await callControlOf(ctx) });
  return answerAs(response.status, Object.fromEntries(response.headers), await response.text());
};

export const handler = withOutboundLoopbackRule(
  serve(mcp, apiKeyAuth, ["directory", "ehr"])({
    mcpTenant: (ctx, { params, body }) => answer(ctx, params, body),
    mcpOffice: (ctx, { params, body }) => answer(ctx, params, body),
  }),
);
