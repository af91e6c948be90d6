import { contract } from "@vitaline/contract";
import { answerMcp } from "@vitaline/mcp";
import type { KeyContext } from "../lib/callers.ts";
import { reachingOut } from "../lib/ehr.ts";
import { keyHolders } from "../lib/key-holders.ts";
import { answerAs, type Reply } from "../lib/reply.ts";
import { serve } from "../lib/serve.ts";

type Path = { tenantId: string; officeId?: string };

const answer = async (ctx: KeyContext, path: Path, body: unknown): Promise<Reply<unknown>> => {
  const response = await answerMcp({ ctx, ...path, body, header: ctx.header, granted: ctx.call });
  return answerAs(response.status, Object.fromEntries(response.headers), await response.text());
};

export const handler = reachingOut(
  serve(
    contract.mcp,
    keyHolders,
  )({
    mcpTenant: (ctx, { params, body }) => answer(ctx, params, body),
    mcpOffice: (ctx, { params, body }) => answer(ctx, params, body),
  }),
);
