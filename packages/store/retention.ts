import { defaultRetention, type Retention } from "@vitaline/contract/tenants/retention.ts";
import type { Context } from "@vitaline/core";
import { schedule } from "./due.ts";
import { retentionRun, type RetentionRunRow } from "./entities/due.ts";
import { tenantConfig, type TenantRow } from "./entities/tenants.ts";
import type { TenantStore } from "./verbs/store.ts";
import type { Write } from "./verbs/write.ts";

type Policies = Pick<TenantRow, "policies"> & Partial<Pick<TenantRow, "timeZone">>;

/** A tenant's retention periods in days, with the defaults for those it has not set. */
export const retentionOf = (tenant: Policies | undefined): Retention => ({ ...defaultRetention, ...tenant?.policies?.retention });

/** `expiresAt` (epoch seconds) of a row that is kept for some days after `at`. */
export const expiresAfter = (at: string | number, days: number): number => Math.floor(new Date(at).getTime() / 1000) + days * 86_400;

/** Rows written under cached, outdated periods are found by the retention job, which starts later: see `retentionRequest`. */
const cacheMs = 60_000;
const maxCached = 1000;
type Cached = { retention: Retention; timeZone: string; readAtMs: number };
const cache = new Map<string, Cached>();

type Reader = Pick<Context, "clock"> & { tenantId: string; store: Pick<TenantStore, "get"> };

/** The retention periods of the context's tenant: at most one read per instance and minute. */
export const tenantRetention = async (ctx: Reader): Promise<Retention> => (await readCached(ctx)).retention;

/** The time zone of the context's tenant, read and cached together with its periods; UTC for a tenant that is gone. */
export const tenantTimeZone = async (ctx: Reader): Promise<string> => (await readCached(ctx)).timeZone;

async function readCached(ctx: Reader): Promise<Cached> {
  const nowMs = ctx.clock().getTime();
  const cached = cache.get(ctx.tenantId);
  if (cached && nowMs >= cached.readAtMs && nowMs - cached.readAtMs < cacheMs) return cached;
  return cacheRetentionAndZone(ctx.tenantId, await ctx.store.get(tenantConfig()), nowMs);
}

/** Caches the periods and the time zone of a tenant whose row was read at `readAtMs` for another purpose. */
export function cacheRetentionAndZone(tenantId: string, tenant: Policies | undefined, readAtMs: number): Cached {
  const cached = { retention: retentionOf(tenant), timeZone: tenant?.timeZone ?? "UTC", readAtMs };
  if (cache.size >= maxCached) cache.clear();
  cache.set(tenantId, cached);
  return cached;
}

/** Longer than the cache, and than any invocation. */
const startsAfterMs = 3 * 60_000;
const dueRowSeconds = 365 * 86_400;

/**
 * The writes that apply a tenant's periods to stored rows by functions/events/retain: the request, which replaces an earlier one,
 * and its due row. `id` comes from newId. Two write units.
 */
export function retentionRequest(tenantId: string, id: string, now: Date): [run: Write & { verb: "put" }, due: Write] {
  const dueAt = new Date(now.getTime() + startsAfterMs).toISOString();
  const expiresAt = Math.floor(now.getTime() / 1000) + dueRowSeconds;
  return [
    {
      verb: "put",
      key: retentionRun(),
      row: {
        id,
        at: now.toISOString(),
        fillsEvidence: true,
        fillsToDo: true,
        fillsToolFailed: true,
        fillsFailedTools: true,
      } satisfies RetentionRunRow,
    },
    schedule({ kind: "retention", tenantId, id, dueAt, expiresAt }),
  ];
}
