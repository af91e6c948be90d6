import { seal } from "@vitaline/aws";
import type { Lead, LeadContact, LeadReason } from "@vitaline/contract";
import { allDone, isAppError, newId, notFound } from "@vitaline/core";
import { check, claimPlace, create, endAfter, keys, tenantRetention, type LeadRow, type TenantContext, type Write } from "@vitaline/store";
import { asLead } from "./leads.ts";

export type NotedLead = { reason: LeadReason; contact: LeadContact; officeId?: string; callKey?: string };

/**
 * Keeps who wants to be found again, and how, sealed; `callKey` is the call that it came from, if one did.
 * AppError `not_found` for another tenant's office.
 */
export async function noteLead(ctx: TenantContext, lead: NotedLead): Promise<Lead> {
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
  return asLead(row);
}

const dayMs = 86_400_000;
/** Nobody has more to be called back about in one call; a caller who wants to fill the list does. */
const leadsPerCall = 3;

/**
 * The write that keeps a lead of a tool's request, to be committed with that tool's audit row. However often the request comes, it is
 * one lead: `duplicate` says that it is kept. undefined once the call has left its three. One write unit here. `officeId` is one that
 * this tenant is known to have.
 */
export async function leadOfRequest(
  ctx: TenantContext,
  lead: NotedLead & { callKey: string },
  requestKey: string,
): Promise<{ leadId: string; write: Write } | undefined> {
  const nowMs = ctx.clock().getTime();
  const place = await claimPlace(ctx.store, keys.leadsOfCall(lead.callKey), {
    ...{ name: "lead", owner: requestKey.slice(0, 20), limit: leadsPerCall },
    ...{ attempt: ctx.requestId, nowMs, lifeMs: dayMs, staleAfterMs: 0 },
    // The id is all that a repetition needs, whatever became of the request.
    ...{ value: newId(nowMs), settled: true },
  });
  const leadId = typeof place === "string" ? undefined : place.value;
  return leadId === undefined ? undefined : { leadId, write: await leadUnder(ctx, lead, leadId) };
}

/** The write that keeps a lead under an id of newId's that its maker remembers: `duplicate` says that it is kept. */
export async function leadUnder(ctx: TenantContext, lead: NotedLead, leadId: string): Promise<Write> {
  return create(keys.lead(leadId), await rowOf(ctx, lead, leadId));
}

async function rowOf(ctx: TenantContext, { reason, contact, officeId, callKey }: NotedLead, id: string): Promise<LeadRow> {
  const [sealed, { leads }] = await allDone([seal("phi", ctx.tenantId, JSON.stringify(contact)), tenantRetention(ctx)]);
  const at = ctx.clock().toISOString();
  return { id, at, reason, officeId, callKey, sealed, version: 1, expiresAt: endAfter(at, leads) };
}
