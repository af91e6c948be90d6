import { seal } from "@vitaline/aws";
import type { Lead, LeadContact, LeadReason } from "@vitaline/contract";
import { allDone, isAppError, newId, notFound } from "@vitaline/core";
import {
  check,
  create,
  endAfter,
  keys,
  tenantRetention,
  update,
  type LeadsOfCallRow,
  type LeadRow,
  type TenantContext,
  type Write,
} from "@vitaline/store";
import { asLead } from "./present.ts";

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

const callSeconds = 24 * 3600;
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
  const key = keys.leadsOfCall(lead.callKey);
  const request = `r_${requestKey}`;
  const taken = await ctx.store.note<LeadsOfCallRow>(
    update<LeadsOfCallRow>(
      key,
      { add: { count: 1 }, set: { [request]: newId(nowMs), expiresAt: Math.ceil(nowMs / 1000) + callSeconds } },
      { absent: [request], lessThanOrAbsent: { count: leadsPerCall } },
    ),
  );
  const leadId = (taken ?? (await ctx.store.get<LeadsOfCallRow>(key)))?.[request];
  return typeof leadId === "string" ? { leadId, write: await leadUnder(ctx, lead, leadId) } : undefined;
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
