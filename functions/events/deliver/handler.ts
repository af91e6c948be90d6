import { Id } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import { allRows, type WebhookTenantRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { drain, newRun, type DeliveryRun } from "@vitaline/webhooks";
import * as z from "zod/mini";
import { eventContext, inTenant } from "../../lib/context.ts";
import { reachingOut } from "../../lib/ehr.ts";
import type { Invocation } from "../../lib/event.ts";

/** How many tenants are seen to at once; one with much to deliver waits for the others after each of its turns. */
const tenantsAtOnce = 8;
/** The first tries again come within seconds, so a run stays for them; for later ones the clock starts another. */
const staysUntilMs = 60_000;

/** From events/project; the clock names no tenants. */
const Event = z.object({ tenantIds: z.optional(z.array(Id)) });

/** Each minute for all tenants, and for those at once for whom something was put down to be delivered. */
export const handler = reachingOut(async (event: unknown, invocation: Invocation): Promise<void> => {
  const { tenantIds } = z.parse(Event, event);
  await deliverAll(eventContext(invocation, "deliver"), tenantIds);
});

/** Delivers what is due to the webhooks of these tenants, or of all, as far as the time of the run goes. */
export async function deliverAll(ctx: PlatformContext, tenantIds?: readonly string[]): Promise<void> {
  const runs = new Map(shuffled(tenantIds ?? (await allTenants(ctx))).map((tenantId) => [tenantId, newRun()]));
  for (let waiting = [...runs]; waiting.length > 0;) {
    await drainAll(ctx, waiting);
    const again = [...runs].filter(([, { againAtMs }]) => againAtMs < Number.POSITIVE_INFINITY);
    const nextMs = Math.min(...again.map(([, { againAtMs }]) => againAtMs));
    const waitMs = Math.max(0, nextMs - ctx.clock().getTime());
    if (ctx.deadline.remainingMs() - waitMs < staysUntilMs) return;
    await ctx.pause(waitMs);
    waiting = again.filter(([, { againAtMs }]) => againAtMs <= ctx.clock().getTime());
  }
}

const allTenants = async (ctx: PlatformContext): Promise<string[]> =>
  (await allRows<WebhookTenantRow>(ctx.platform, partitions.webhookTenants)).map(({ tenantId }) => tenantId);

async function drainAll(ctx: PlatformContext, runs: [tenantId: string, run: DeliveryRun][]): Promise<void> {
  const waiting = [...runs];
  for (const [, run] of runs) run.againAtMs = Number.POSITIVE_INFINITY;
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) if (await drainOne(ctx, ...next)) waiting.push(next);
  };
  await Promise.all(Array.from({ length: tenantsAtOnce }, worker));
}

/** A turn of one tenant, and whether there may be more to do; what fails is for the next run. */
async function drainOne(ctx: PlatformContext, tenantId: string, run: DeliveryRun): Promise<boolean> {
  try {
    return await drain(inTenant(ctx, tenantId), run);
  } catch (error) {
    ctx.log("warn", "deliver.failed", { tenantId, ...errorFields(error) });
    return false;
  }
}

/** Another tenant goes first each time. */
const shuffled = <Row>(rows: readonly Row[]): Row[] => {
  const first = Math.floor(Math.random() * rows.length);
  return [...rows.slice(first), ...rows.slice(0, first)];
};
