import type { Range, ToolUsage } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";
import { toolsIn } from "./counts.ts";
import { requireOffice } from "./office.ts";
import { totalsIn } from "./totals.ts";

/** How often each tool ran and how many percent of its runs went well, most used first; tools that never ran are left out. AppError `not_found` for another tenant's office. */
export async function toolUsage(ctx: TenantContext, range: Range, officeId?: string): Promise<ToolUsage[]> {
  const [totals] = await allDone([totalsIn(ctx, range, officeId), requireOffice(ctx, officeId)]);
  return toolsIn(totals)
    .map(({ tool, count, succeeded }) => ({ toolName: tool, count, successRate: count === 0 ? null : (succeeded / count) * 100 }))
    .toSorted((a, b) => b.count - a.count || a.toolName.localeCompare(b.toolName));
}
