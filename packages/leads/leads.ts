import type { Lead, LeadDetail } from "@vitaline/contract";
import { keys, type LeadRow, nextVersion, onFreshRead, type Page, type TenantContext, update } from "@vitaline/store";
import { unseal } from "@vitaline/aws";
import { notFound } from "@vitaline/core";
import * as z from "zod/mini";

export const asLead = ({ id, at, reason, callKey, officeId, handledAt, version }: LeadRow): Lead => ({
  id,
  createdAt: at,
  reason,
  callId: callKey ?? null,
  officeId: officeId ?? null,
  handledAt: handledAt ?? null,
  version: version ?? 1,
});

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

const Sealed = z.object({ name: z.string(), phone: z.optional(z.string()), email: z.optional(z.string()), note: z.optional(z.string()) });

/** How to reach somebody, unsealed. */
export async function contactOf({ tenantId }: TenantContext, { sealed }: LeadRow): Promise<LeadDetail["contact"]> {
  const { name, phone, email, note } = z.parse(Sealed, JSON.parse(await unseal("phi", tenantId, sealed)));
  return { name, phone: phone ?? null, email: email ?? null, note: note ?? null };
}

/** One lead with how to reach them; the audit row is written before the answer leaves. AppError `not_found`. */
export async function readLead(ctx: TenantContext, leadId: string): Promise<LeadDetail> {
  const row = await ctx.store.get<LeadRow>(keys.lead(leadId));
  if (!row) throw notFound();
  const contact = await contactOf(ctx, row);
  await ctx.store.commit([], {
    category: "patient_access",
    action: "lead.read",
    resourceType: "Lead",
    resourceId: leadId,
    callKey: row.callKey,
  });
  return { ...asLead(row), contact };
}

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
