import { contract } from "@vitaline/contract";
import { answerMcp } from "@vitaline/mcp";
import { serve } from "../lib/api/serve.ts";
import { apiKeyAuth } from "../lib/auth/api-key.ts";
import type { ApiKeyContext } from "../lib/auth/types.ts";
import { callControlOf } from "../lib/voice/call-control.ts";
import { withLoopbackRule } from "../lib/context/ehr-context.ts";
import { answerAs, type Reply } from "../lib/http/response.ts";

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
