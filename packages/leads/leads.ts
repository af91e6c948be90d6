import { unseal } from "@vitaline/aws";
import type { Lead, LeadDetail } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import {
  keys,
  nextVersion,
  retryOnStale,
  update,
  type Audit,
  type LeadRow,
  type Page,
  type TenantContext,
  type Write,
} from "@vitaline/store";
import * as z from "zod/mini";

const pageSize = 50;
const SealedContact = z.object({
  name: z.string(),
  phone: z.optional(z.string()),
  email: z.optional(z.string()),
  note: z.optional(z.string()),
});

/** A page of the tenant's leads, newest first, without contacts. One Query; a page filtered by `handled` may be short. */
export async function listLeads(
  ctx: TenantContext,
  { limit = pageSize, cursor, handled }: { limit?: number; cursor?: string; handled?: boolean },
): Promise<Page<Lead>> {
  const { rows, next } = await ctx.store.query<LeadRow>(keys.tenantPartitions.leads(ctx.tenantId), {
    descending: true,
    limit,
    cursor,
    where: handled === undefined ? undefined : (row) => (row.handledAt !== undefined) === handled,
  });
  return { rows: rows.map(toLead), next };
}

/** One lead with its contact. The audit row is written before the answer is sent. AppError `not_found`. */
export async function readLead(ctx: TenantContext, leadId: string): Promise<LeadDetail> {
  const row = await ctx.store.get<LeadRow>(keys.lead(leadId));
  if (!row) throw notFound();
  const contact = await unsealLeadContact(ctx, row);
  await ctx.store.commit([], {
    category: "patient_access",
    action: "lead.read",
    resourceType: "Lead",
    resourceId: leadId,
    callKey: row.callKey,
  });
  return { ...toLead(row), contact };
}

export async function unsealLeadContact({ tenantId }: TenantContext, { sealed }: LeadRow): Promise<LeadDetail["contact"]> {
  const { name, phone, email, note } = z.parse(SealedContact, JSON.parse(await unseal("phi", tenantId, sealed)));
  return { name, phone: phone ?? null, email: email ?? null, note: note ?? null };
}

/** Marks a lead as handled, or undoes that. `ifMatch` is the expected version. AppError `not_found`, `stale_version`. */
export const handleLead = (ctx: TenantContext, leadId: string, handled: boolean, ifMatch?: number): Promise<Lead> =>
  retryOnStale(ifMatch, async () => {
    const row = await ctx.store.get<LeadRow>(keys.lead(leadId));
    if (!row) throw notFound();
    const { write, audit, after } = handling(ctx, row, handled, ifMatch);
    await ctx.store.commit([write], audit);
    return toLead(after);
  });

/** The write that marks a lead as it was read, with its audit. AppError `stale_version`. */
export function handling(
  ctx: TenantContext,
  row: LeadRow,
  handled: boolean,
  ifMatch?: number,
): { write: Write; audit: Audit; after: LeadRow } {
  const { version, asRead } = nextVersion(row, ifMatch);
  const { handledAt: before, ...open } = row;
  const handledAt = handled ? (before ?? ctx.clock().toISOString()) : undefined;
  const change = handledAt ? { set: { handledAt, version } } : { set: { version }, remove: ["handledAt" as const] };
  return {
    write: update<LeadRow>(keys.lead(row.id), change, asRead),
    audit: {
      category: "patient_access",
      action: "lead.handle",
      resourceType: "Lead",
      resourceId: row.id,
      callKey: row.callKey,
      detail: { handled, version },
    },
    after: { ...open, ...(handledAt ? { handledAt } : {}), version },
  };
}

export const toLead = ({ id, at, reason, callKey, officeId, handledAt, version }: LeadRow): Lead => ({
  id,
  createdAt: at,
  reason,
  callId: callKey ?? null,
  officeId: officeId ?? null,
  handledAt: handledAt ?? null,
  version: version ?? 1,
});
