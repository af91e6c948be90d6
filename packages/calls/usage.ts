import type { Usage } from "@vitaline/contract";
import { keys, type TenantContext, type TenantRow } from "@vitaline/store";
import { monthRow } from "./counts.ts";

/** US dollars for each minute beyond the plan's. */
const overageRate = 0.18;

/**
 * Minutes of all calls that became known in a UTC month (`yyyy-mm`; this one when absent), against the plan: what is found
 * out later is in a later month, so a month that is over stays as it was billed. One Get.
 */
export async function planUsage(ctx: TenantContext, { plan }: Pick<TenantRow, "plan">, month?: string): Promise<Usage> {
  const now = ctx.clock().toISOString();
  const asked = month ?? now.slice(0, "yyyy-mm".length);
  const { totalCalls = 0, durationSeconds = 0 } = (await ctx.store.get(keys.stats(monthRow(asked)))) ?? {};
  const minutes = Number(durationSeconds) / 60;
  const overageMinutes = plan ? Math.max(0, minutes - plan.bundledMinutes) : null;
  return {
    month: asked,
    calls: Number(totalCalls),
    minutes,
    planName: plan?.name ?? null,
    bundledMinutes: plan?.bundledMinutes ?? null,
    overageMinutes,
    overageRate,
    overageCharge: overageMinutes === null ? null : Math.round(overageMinutes * overageRate * 100) / 100,
    asOf: now,
  };
}
