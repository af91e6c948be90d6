import { defaultToolRunsPerMinute } from "@vitaline/contract";
import { errorFields } from "@vitaline/core";
import { keys, type ToolRunCountsRow, type TenantRow } from "@vitaline/store";
import type { ToolContext } from "../../sdk/run.ts";

/** A tenant may use a window's runs at once; they come back as time passes. */
const windowMs = 10_000;
/**
 * An instance writes its counts to the row when it is ahead of its even part of the limit by this share of a window, or when half of the
 * window is known to be used.
 */
const aheadShare = 0.06;
const assumedInstances = 100;
const rememberedShare = 0.5;
/** Of this instance, for all tenants. */
const writeEveryMs = 1000;
const rowSeconds = 86_400;
const maxTenants = 5000;

/** `unshared`: runs by window that are not in the row yet. `ahead`: how many runs the instance is ahead of its part of the limit. */
type Local = { unshared: Map<number, number>; ahead: number; countedAtMs: number };

const locals = new Map<string, Local>();
let lastWriteMs = Number.NEGATIVE_INFINITY;

function localOf(tenantId: string, nowMs: number): Local {
  const known = locals.get(tenantId);
  if (known) return known;
  if (locals.size >= maxTenants) locals.clear();
  const made = { unshared: new Map<number, number>(), ahead: 0, countedAtMs: nowMs };
  locals.set(tenantId, made);
  return made;
}

/**
 * Counts a tool run of a tenant. Returns the seconds to wait when the tenant is over its limit, else undefined. The counts of all instances
 * are in `row`, which was read together with the tenant's; an instance writes it at most once a second, and not at the usual number of calls.
 */
export async function countRun(ctx: ToolContext, tenant: TenantRow, row: ToolRunCountsRow | undefined): Promise<number | undefined> {
  const nowMs = ctx.clock().getTime();
  const perMinute = tenant.policies?.toolRunsPerMinute ?? defaultToolRunsPerMinute;
  const perWindow = (perMinute * windowMs) / 60_000;
  const window = Math.floor(nowMs / windowMs);
  const local = localOf(ctx.tenantId, nowMs);
  for (const known of local.unshared.keys()) if (known < window - 1) local.unshared.delete(known);
  const runsIn = (at: number): number => (row?.[`runs_${at}`] ?? 0) + (local.unshared.get(at) ?? 0);
  const used = runsIn(window) + runsIn(window - 1) * (1 - (nowMs % windowMs) / windowMs);
  if (used + 1 > perWindow) return Math.max(1, Math.ceil((windowMs - (nowMs % windowMs)) / 1000));
  local.unshared.set(window, (local.unshared.get(window) ?? 0) + 1);
  const seconds = Math.max(0, nowMs - local.countedAtMs) / 1000;
  local.ahead = Math.max(0, local.ahead - (seconds * perMinute) / 60 / assumedInstances) + 1;
  local.countedAtMs = nowMs;
  const isDue = local.ahead >= aheadShare * perWindow || used >= rememberedShare * perWindow;
  if (isDue && (nowMs < lastWriteMs || nowMs - lastWriteMs >= writeEveryMs)) await share(ctx, local, nowMs, row);
  return undefined;
}

/** Sharing is an aid: a failure is logged. */
async function share(ctx: ToolContext, local: Local, nowMs: number, row: ToolRunCountsRow | undefined): Promise<void> {
  lastWriteMs = nowMs;
  const window = Math.floor(nowMs / windowMs);
  const add = Object.fromEntries([...local.unshared].map(([at, runs]) => [`runs_${at}`, runs]));
  const past = Object.keys(row ?? {}).filter((name) => name.startsWith("runs_") && Number(name.slice("runs_".length)) < window - 1);
  local.unshared.clear();
  local.ahead = 0;
  const change = { add, set: { expiresAt: Math.floor(nowMs / 1000) + rowSeconds }, remove: past };
  await ctx.store
    .writeUnaudited({ verb: "update", key: keys.toolRunCounts(), change })
    .catch((error: unknown) => ctx.log("warn", "tool.limit_not_shared", errorFields(error)));
}
