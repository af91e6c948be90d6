import type { Lead } from "@vitaline/contract";
import { keys, type LeadRow, type Page, type TenantContext } from "@vitaline/store";
import { asLead } from "./present.ts";

const usualPage = 50;

/** A page of the tenant's leads, newest first, nothing unsealed. One Query; a page of those handled, or of those not, may be short. */
export async function listLeads(
  ctx: TenantContext,
  { limit = usualPage, cursor, handled }: { limit?: number; cursor?: string; handled?: boolean },
): Promise<Page<Lead>> {
  const { rows, next } = await ctx.store.query<LeadRow>(keys.tenantPartitions.leads(ctx.tenantId), {
    descending: true,
    limit,
    cursor,
    where: handled === undefined ? undefined : (row) => (row.handledAt !== undefined) === handled,
  });
  return { rows: rows.map(asLead), next };
}
