import { unseal } from "@vitaline/aws";
import type { LeadDetail } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, type LeadRow, type TenantContext } from "@vitaline/store";
import * as z from "zod/mini";
import { asLead } from "./present.ts";

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
