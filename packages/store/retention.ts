import { usualRetention, type Retention } from "@vitaline/contract";
import type { Context } from "@vitaline/core";
import { tenantConfig } from "./keys.ts";
import type { TenantRow } from "./rows.ts";
import type { TenantStore } from "./scope.ts";

type Policies = Pick<TenantRow, "policies">;

/** A tenant's periods in days; what it has not set is the usual. */
export const retentionOf = (tenant: Policies | undefined): Retention => ({ ...usualRetention, ...tenant?.policies?.retention });

/** `expiresAt` of what happened at an instant and is kept for so many days. */
export const endAfter = (at: string | number, days: number): number => Math.floor(new Date(at).getTime() / 1000) + days * 86_400;

/**
 * So long an instance goes on with the periods that it has read. What it writes meanwhile under a tenant's former periods is
 * found by the job that applies the new ones, which begins later: see `retentionRequest`.
 */
const heldMs = 60_000;
const mostHeld = 1000;
const held = new Map<string, { retention: Retention; readAtMs: number }>();

type Asking = Pick<Context, "clock"> & { tenantId: string; store: Pick<TenantStore, "get"> };

/** The periods of the context's tenant: one read an instance and minute, none where the tenant's row was read already. */
export async function tenantRetention(ctx: Asking): Promise<Retention> {
  const nowMs = ctx.clock().getTime();
  const known = held.get(ctx.tenantId);
  if (known && nowMs >= known.readAtMs && nowMs - known.readAtMs < heldMs) return known.retention;
  return knowRetention(ctx.tenantId, await ctx.store.get(tenantConfig()), nowMs);
}

/** Remembers the periods of a tenant whose row was read at `readAtMs` for another purpose: the next write need not read it. */
export function knowRetention(tenantId: string, tenant: Policies | undefined, readAtMs: number): Retention {
  const retention = retentionOf(tenant);
  if (held.size >= mostHeld) held.clear();
  held.set(tenantId, { retention, readAtMs });
  return retention;
}
