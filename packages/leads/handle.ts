import type { Lead } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, nextVersion, onFreshRead, update, type LeadRow, type TenantContext } from "@vitaline/store";
import { asLead } from "./present.ts";

/** Marks a lead as handled, or as still to be. `ifMatch` is the version that the caller has seen. AppError `not_found`, `stale_version`. */
export const handleLead = (ctx: TenantContext, leadId: string, handled: boolean, ifMatch?: number): Promise<Lead> =>
  onFreshRead(ifMatch, () => write(ctx, leadId, handled, ifMatch));

const write = async (ctx: TenantContext, leadId: string, handled: boolean, ifMatch: number | undefined): Promise<Lead> => {
  const row = await ctx.store.get<LeadRow>(keys.lead(leadId));
  if (!row) throw notFound();
  const { version, asRead } = nextVersion(row, ifMatch);
  const handledAt = handled ? (row.handledAt ?? ctx.clock().toISOString()) : undefined;
  const change = handledAt ? { set: { handledAt, version } } : { set: { version }, remove: ["handledAt" as const] };
  await ctx.store.commit([update<LeadRow>(keys.lead(leadId), change, asRead)], {
    category: "patient_access",
    action: "lead.handle",
    resourceType: "Lead",
    resourceId: leadId,
    detail: { handled, version },
  });
  return asLead({ ...row, handledAt, version });
};
