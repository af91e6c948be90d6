import { usedTools, type CallOfToolRuns } from "@vitaline/calls";
import { endAfter, keys, put, tenantRetention } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { inTenant } from "../../lib/context.ts";
import type { ToolRun } from "./facts.ts";

/**
 * Writes the runs into their calls' timelines and the tools' names onto the calls; a call that nobody announced comes into
 * being by that. Written again, nothing changes. One write per run, one per call and batch.
 */
export async function noteToolRuns(ctx: PlatformContext, toolRuns: readonly ToolRun[]): Promise<void> {
  for (const { tenantId, run } of toolRuns) {
    const { calls } = await tenantRetention(inTenant(ctx, tenantId));
    const row = { ...run, expiresAt: endAfter(run.at, calls) };
    await ctx.platform.inTenant(tenantId).note(put(keys.toolRun(run.callKey, run.id), row));
  }
  for (const { tenantId, call } of callsOf(toolRuns))
    await ctx.platform.inTenant(tenantId).note(usedTools(tenantId, call, await tenantRetention(inTenant(ctx, tenantId))));
}

const callsOf = (toolRuns: readonly ToolRun[]): { tenantId: string; call: CallOfToolRuns }[] => {
  const calls = new Map<string, { tenantId: string; call: CallOfToolRuns }>();
  for (const { tenantId, call } of toolRuns) {
    const name = `${tenantId}|${call.callKey}`;
    const known = calls.get(name)?.call;
    calls.set(name, { tenantId, call: known ? { ...known, tools: [...new Set([...known.tools, ...call.tools])] } : call });
  }
  return [...calls.values()];
};
