import type { Range, ToolUsage } from "@vitaline/contract";
import type { TenantContext } from "@vitaline/store";
import { toolsIn } from "./counts.ts";
import { totalsIn } from "./totals.ts";

/** How often each tool ran and how many percent of its runs went well, most used first; tools that never ran are left out. */
export async function toolUsage(ctx: TenantContext, range: Range): Promise<ToolUsage[]> {
  return toolsIn(await totalsIn(ctx, range))
    .map(({ tool, count, succeeded }) => ({ toolName: tool, count, successRate: count === 0 ? null : (succeeded / count) * 100 }))
    .toSorted((a, b) => b.count - a.count || a.toolName.localeCompare(b.toolName));
}
