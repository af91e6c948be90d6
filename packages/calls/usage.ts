import type { Usage } from "@vitaline/contract";
import type { TenantContext, TenantRow } from "@vitaline/store";
import { totalsBetween } from "./totals.ts";

/** US dollars for each minute beyond the plan's. */
const overageRate = 0.18;

/** Minutes of all calls whose end became known in a UTC month (`yyyy-mm`; this one when absent), against the plan. One Query of at most 31 rows. */
export async function planUsage(ctx: TenantContext, { plan }: Pick<TenantRow, "plan">, month?: string): Promise<Usage> {
  const now = ctx.clock().toISOString();
  const asked = month ?? now.slice(0, "yyyy-mm".length);
  const { totalCalls = 0, durationSeconds = 0 } = await totalsBetween(ctx, `${asked}-01`, `${asked}-31`);
  const minutes = durationSeconds / 60;
  const overageMinutes = plan ? Math.max(0, minutes - plan.bundledMinutes) : null;
  return {
    month: asked,
    calls: totalCalls,
    minutes,
    planName: plan?.name ?? null,
    bundledMinutes: plan?.bundledMinutes ?? null,
    overageMinutes,
    overageRate,
    overageCharge: overageMinutes === null ? null : Math.round(overageMinutes * overageRate * 100) / 100,
    asOf: now,
  };
}
