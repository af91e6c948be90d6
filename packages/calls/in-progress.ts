import type { ListedCall } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { keys, type LiveCallRow, type TenantContext } from "@vitaline/store";
import { requireOffice } from "./office.ts";
import { startOf } from "./present.ts";

/** Looked at; they lie in no order of time. */
const mostLive = 500;
const shown = 100;

export type CallInProgress = Pick<ListedCall, "id" | "platform" | "createdAt" | "status" | "officeId" | "agentId" | "direction">;

/** Calls that are going on, newest first, as projected about a second ago. One Query over their own rows. AppError `not_found` for another tenant's office. */
export async function callsInProgress(ctx: TenantContext, officeId?: string): Promise<CallInProgress[]> {
  const [{ rows }] = await allDone([
    ctx.store.query<LiveCallRow>(keys.tenantPartitions.live(ctx.tenantId), { limit: mostLive }),
    requireOffice(ctx, officeId),
  ]);
  return rows
    .filter((row) => officeId === undefined || row.officeId === officeId)
    .toSorted((a, b) => startOf(b).localeCompare(startOf(a)))
    .slice(0, shown)
    .map((row) => ({
      id: row.callKey,
      platform: row.platform,
      createdAt: startOf(row),
      status: row.status,
      officeId: row.officeId ?? null,
      agentId: row.agentId ?? null,
      direction: row.direction ?? null,
    }));
}
