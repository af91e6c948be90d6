import type { Call } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { keys, type CallRow, type Page, type TenantContext } from "@vitaline/store";
import { requireOffice } from "./office.ts";
import { asCall } from "./present.ts";

const usualPage = 20;

/**
 * A page of the tenant's calls, newest start first; `next` is the cursor of the page after it. Pages go by when we first heard of a
 * call, which is about when it started. One Query; of one office's calls a page may be short. AppError `not_found` for another tenant's office.
 */
export async function recentCalls(
  ctx: TenantContext,
  { limit = usualPage, cursor, officeId }: { limit?: number; cursor?: string; officeId?: string },
): Promise<Page<Call>> {
  const [{ rows, next }] = await allDone([
    ctx.store.query<CallRow>(keys.tenantPartitions.calls(ctx.tenantId), {
      index: "gsi1",
      descending: true,
      limit,
      cursor,
      where: officeId === undefined ? undefined : (row) => row.officeId === officeId,
    }),
    requireOffice(ctx, officeId),
  ]);
  return { rows: rows.map(asCall).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)), next };
}
