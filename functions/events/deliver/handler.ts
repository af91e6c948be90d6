import { Id } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import { allRows, type WebhookTenantRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { deliverDue, newDeliveryRun, type DeliveryRun } from "@vitaline/webhooks";
import * as z from "zod/mini";
import { withOutboundLoopbackRule } from "../../lib/context/ehr-context.ts";
import { eventContext, inTenant, type Invocation } from "../../lib/context/platform-context.ts";
import { shareOut, startShare } from "../../lib/context/share-out.ts";

/** Tenants delivered to in parallel. A tenant with many deliveries queues again after each turn. */
const parallelTenants = 8;
/** A run waits for the first retries, which are seconds apart; the schedule starts another run for later ones. */
const minRemainingMs = 60_000;

/** From functions/events/project; the schedule names no tenants. */
const Event = z.object({ tenantIds: z.optional(z.array(Id)) });

/** Asking a tenant that has nothing due takes a few milliseconds. */
const shareSize = { perShare: 500, maxShares: 10 };

/** Every minute for all tenants, and at once for tenants with new deliveries. */
export const handler = withOutboundLoopbackRule(async (event: unknown, invocation: Invocation): Promise<void> => {
  const { tenantIds } = z.parse(Event, event);
  const ctx = eventContext(invocation, "deliver");
  await deliverAll(ctx, tenantIds ?? (await shareOut(ctx, await allTenants(ctx), shareSize, (some) => startShare({ tenantIds: some }))));
});

/** Sends due deliveries to the webhooks of these tenants, or of all tenants, until the deadline is near. */
export async function deliverAll(ctx: PlatformContext, tenantIds?: readonly string[]): Promise<void> {
  const runs = new Map(rotated(tenantIds ?? (await allTenants(ctx))).map((tenantId) => [tenantId, newDeliveryRun()]));
  for (let due = [...runs]; due.length > 0;) {
    await drainAll(ctx, due);
    const retrying = [...runs].filter(([, { againAtMs }]) => againAtMs < Number.POSITIVE_INFINITY);
    const nextMs = Math.min(...retrying.map(([, { againAtMs }]) => againAtMs));
    const waitMs = Math.max(0, nextMs - ctx.clock().getTime());
    if (ctx.deadline.remainingMs() - waitMs < minRemainingMs) return;
    await ctx.pause(waitMs);
    due = retrying.filter(([, { againAtMs }]) => againAtMs <= ctx.clock().getTime());
  }
}

const allTenants = async (ctx: PlatformContext): Promise<string[]> =>
  (await allRows<WebhookTenantRow>(ctx.platform, partitions.webhookTenants)).map(({ tenantId }) => tenantId);

async function drainAll(ctx: PlatformContext, runs: [tenantId: string, run: DeliveryRun][]): Promise<void> {
  const queue = [...runs];
  for (const [, run] of runs) run.againAtMs = Number.POSITIVE_INFINITY;
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) if (await drainOne(ctx, ...next)) queue.push(next);
  };
  await Promise.all(Array.from({ length: parallelTenants }, worker));
}

/** One turn of a tenant. Returns whether it may have more to deliver; failures wait for the next run. */
async function drainOne(ctx: PlatformContext, tenantId: string, run: DeliveryRun): Promise<boolean> {
  try {
    return await deliverDue(inTenant(ctx, tenantId), run);
  } catch (error) {
    ctx.log("warn", "deliver.failed", { tenantId, ...errorFields(error) });
    return false;
  }
}

/** Starts at a random row, so no tenant is always last. */
const rotated = <Row>(rows: readonly Row[]): Row[] => {
  const first = Math.floor(Math.random() * rows.length);
  return [...rows.slice(first), ...rows.slice(0, first)];
};
