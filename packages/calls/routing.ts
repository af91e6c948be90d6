import type { Range, RoutingCount } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import { routingIn } from "./counts.ts";
import { requireOffice } from "./office.ts";
import { totalsIn } from "./totals.ts";

/** Why callers were put through to staff and what became of it, most often first. One read. AppError `not_found` for another tenant's office. */
export async function routingCounts(ctx: TenantContext, range: Range, officeId?: string): Promise<RoutingCount[]> {
  const [totals] = await allDone([totalsIn(ctx, range, officeId), requireOffice(ctx, officeId)]);
  return routingIn(totals)
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || a.reason.localeCompare(b.reason) || a.outcome.localeCompare(b.outcome));
}
