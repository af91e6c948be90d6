import { Id } from "@vitaline/contract";
import * as z from "zod/mini";
import { eventContext, inTenant } from "../../lib/context.ts";
import type { Invocation } from "../../lib/event.ts";
import { applyRetention } from "./apply.ts";
import { requestForAll } from "./request-all.ts";

/** Of the minute probe; what the clock sends names no tenant. */
const Job = z.object({ tenantId: z.optional(Id), retentionId: z.optional(Id) });

/**
 * Applies a tenant's periods of retention to what is stored of it. Once a day, asked by the clock, it has those tenants applied for
 * whom that was never done. Throws when AWS cannot take it now: the minute probe then has it begun again.
 */
export const handler = async (event: unknown, invocation: Pick<Invocation, "awsRequestId" | "getRemainingTimeInMillis">): Promise<void> => {
  const { tenantId, retentionId } = z.parse(Job, event);
  const ctx = eventContext(invocation, "retain");
  if (tenantId === undefined || retentionId === undefined) return requestForAll(ctx);
  await applyRetention({ ...ctx, ...inTenant(ctx, tenantId), platform: ctx.platform.inTenant(tenantId) }, retentionId);
};
