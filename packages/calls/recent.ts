import type { Call } from "@vitaline/contract";
import { keys, type CallRow, type Page, type TenantContext } from "@vitaline/store";
import { isResolved } from "./counts.ts";

const usualPage = 20;

const asCall = (row: CallRow): Call => ({
  id: row.callKey,
  platform: row.platform,
  createdAt: row.startedAt,
  duration: row.durationSeconds ?? null,
  status: row.status,
  toolsUsed: [...(row.toolsUsed ?? [])].toSorted(),
  resolved: isResolved(row),
  forwarded: row.forwarded,
  outcome: row.outcome ?? null,
  endedReason: row.endedReason ?? null,
});

/** A page of the tenant's calls, newest start first; `next` is the cursor of the page after it. One Query. */
export async function recentCalls(
  ctx: TenantContext,
  { limit = usualPage, cursor }: { limit?: number; cursor?: string },
): Promise<Page<Call>> {
  const { rows, next } = await ctx.store.query<CallRow>(keys.tenantPartitions.calls(ctx.tenantId), {
    index: "gsi1",
    descending: true,
    limit,
    cursor,
  });
  return { rows: rows.map(asCall), next };
}
