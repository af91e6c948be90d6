import type { ToolRun } from "@vitaline/contract";
import { keys, type Page, type TenantContext, type ToolRunRow } from "@vitaline/store";

const usualPage = 100;

/** The log of tool runs of all calls, newest first, as projected about a second ago. One Query a page. */
export async function toolRuns(
  ctx: TenantContext,
  { limit = usualPage, cursor }: { limit?: number; cursor?: string },
): Promise<Page<ToolRun>> {
  const { rows, next } = await ctx.store.query<ToolRunRow>(keys.tenantPartitions.runs(ctx.tenantId), {
    index: "gsi1",
    descending: true,
    limit,
    cursor,
  });
  return { rows: rows.map(asToolRun), next };
}

export const asToolRun = ({ id, at, tool, success, code, ms, requestId, callKey }: ToolRunRow): ToolRun => ({
  id,
  createdAt: at,
  toolName: tool,
  status: success ? "succeeded" : "failed",
  code: code ?? null,
  ms,
  requestId,
  callId: callKey,
});
