import { seal } from "@vitaline/aws";
import type { Lead, LeadContact, LeadReason } from "@vitaline/contract";
import { awaitAllThenThrow, isAppError, newId, notFound, dayMs } from "@vitaline/core";
import {
  check,
  takeQuotaUnit,
  create,
  expiresAfter,
  keys,
  tenantRetention,
  type LeadRow,
  type TenantContext,
  type Write,
} from "@vitaline/store";
import { toLead } from "./leads.ts";

export type LeadInput = { reason: LeadReason; contact: LeadContact; officeId?: string; callKey?: string };

/** Stores a lead with its contact sealed. AppError `not_found` for another tenant's office. */
export async function storeLead(ctx: TenantContext, lead: LeadInput): Promise<Lead> {
  const { officeId, callKey } = lead;
  const row = await rowOf(ctx, lead, newId(ctx.clock().getTime()));
  const writes: Write[] = [create(keys.lead(row.id), row), ...(officeId ? [check(keys.office(officeId), { exists: true })] : [])];
  try {
    await ctx.store.commit(writes, {
      category: "patient_access",
      action: "lead.create",
      resourceType: "Lead",
      resourceId: row.id,
      callKey,
    });
  } catch (error) {
    throw isAppError(error, "stale_version") ? notFound() : error;
  }
  return toLead(row);
}

/** Limits abuse: a caller has no reason to leave more in one call. */
const leadsPerCall = 3;

/**
 * The write that stores a lead from a tool request, to be committed with the tool's audit row. Idempotent: committing it for a
 * repeated request throws `duplicate`. Undefined if the call has left three leads already. One write unit here. `officeId` must be
 * the tenant's own.
 */
export async function reserveLead(
  ctx: TenantContext,
  lead: LeadInput & { callKey: string },
  requestKey: string,
): Promise<{ leadId: string; write: Write } | undefined> {
  const nowMs = ctx.clock().getTime();
  const place = await takeQuotaUnit(ctx.store, keys.leadsOfCall(lead.callKey), {
    ...{ name: "lead", owner: requestKey.slice(0, 20), limit: leadsPerCall },
    ...{ attempt: ctx.requestId, nowMs, lifeMs: dayMs, staleAfterMs: 0 },
    // A repeated request needs only the id, so the place is settled at once.
    ...{ value: newId(nowMs), settled: true },
  });
  const leadId = typeof place === "string" ? undefined : place.value;
  return leadId === undefined ? undefined : { leadId, write: await leadWrite(ctx, lead, leadId) };
}

/** The write that stores a lead under a given id; committing it again throws `duplicate`. */
export async function leadWrite(ctx: TenantContext, lead: LeadInput, leadId: string): Promise<Write> {
  return create(keys.lead(leadId), await rowOf(ctx, lead, leadId));
}

async function rowOf(ctx: TenantContext, { reason, contact, officeId, callKey }: LeadInput, id: string): Promise<LeadRow> {
  const [sealed, { leads }] = await awaitAllThenThrow([seal("phi", ctx.tenantId, JSON.stringify(contact)), tenantRetention(ctx)]);
  const at = ctx.clock().toISOString();
  return { id, at, reason, officeId, callKey, sealed, version: 1, expiresAt: expiresAfter(at, leads) };
}
