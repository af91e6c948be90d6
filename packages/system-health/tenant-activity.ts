import { callMetrics } from "@vitaline/calls/metrics/call-metrics.ts";
import { planUsage } from "@vitaline/calls/metrics/costs.ts";
import { lastCallAt } from "@vitaline/calls/log/list.ts";
import type { HealthStatus, TenantActivity } from "@vitaline/contract";
import { inBatches, awaitAllThenThrow } from "@vitaline/core";
import { currentHealth } from "@vitaline/fhir-providers";
import { allRows, keys, tenantStore, type OfficeRow, type TenantDirectoryRow, type VoiceHealthRow } from "@vitaline/store";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import { isStale, statusOf } from "./platform-status.ts";
import { missingRecordSystem, type RecordSystems } from "./tenant-notices.ts";

type ActivityContext = ScopedContext<"directory" | "ehr" | "health">;

/** Read at the same time, with four requests each. */
export const maxTenants = 25;

/**
 * Calls, failures, health and usage of the listed tenants, in their order. Four requests a tenant and five for all, however many
 * calls there are; the figures are those of the last seven days of the tenant's time zone, the minutes those of the UTC month.
 */
export async function tenantActivity(ctx: ActivityContext, tenantIds: readonly string[]): Promise<TenantActivity[]> {
  const [first, last] = [tenantIds[0], tenantIds.at(-1)];
  if (first === undefined || last === undefined) return [];
  const [listed, voice] = await awaitAllThenThrow([
    // A tenant's offices follow it.
    allRows<TenantDirectoryRow | OfficeRow>(ctx.platform, keys.partitions.tenantDirectory, { from: first, to: `${last}$` }),
    allRows<VoiceHealthRow>(ctx.platform, keys.partitions.voiceHealth),
  ]);
  const systems = await readRecordSystems(ctx, listed);
  const activityOf = async (tenantId: string): Promise<TenantActivity> => {
    const inside = { ...ctx, tenantId, store: tenantStore(ctx, tenantId) };
    const of = systems.get(tenantId);
    const [figures, { minutes, bundledMinutes }, lastAt] = await awaitAllThenThrow([
      callMetrics(inside, "7days"),
      planUsage(inside, of?.plan ? { plan: of.plan } : {}),
      lastCallAt(inside),
    ]);
    return {
      tenantId,
      calls: figures.totalCalls,
      failedCalls: figures.totalCalls - figures.successfulCalls,
      resolvedCalls: figures.resolvedCalls,
      toolRuns: figures.toolRuns,
      failedToolRuns: figures.failedToolRuns,
      minutes,
      bundledMinutes,
      lastCallAt: lastAt ?? null,
      recordSystem: of === undefined || missingRecordSystem(of).length > 0 ? "missing" : statusOf(of.fhir),
      voicePlatform: statusOf(voice.filter((one) => one.tenantId === tenantId && !isStale(one.checkedAt, ctx.clock()))),
    };
  };
  return awaitAllThenThrow(tenantIds.map(activityOf));
}

type Systems = RecordSystems & { plan: TenantDirectoryRow["plan"]; fhir: (RecordSystems["fhir"][number] & { status: HealthStatus })[] };

async function readRecordSystems(ctx: ActivityContext, listed: readonly (TenantDirectoryRow | OfficeRow)[]): Promise<Map<string, Systems>> {
  const tenants = listed.filter((row): row is TenantDirectoryRow => "organizationType" in row);
  const ids = [...new Set(listed.flatMap(({ fhirProviderId }) => fhirProviderId ?? []))];
  const rows = await inBatches(ids, (some) => ctx.platform.batchGet(some.map((id) => keys.fhirProvider(id))));
  const healths = await inBatches(ids, (some) => ctx.platform.batchGet(some.map((id) => keys.fhirHealth(id))));
  const found = ids.map((id, at) => {
    const [row, health] = [rows[at], healths[at]];
    const now = row && currentHealth(row, health);
    const isKnown = row?.isActive && now !== undefined && !isStale(now.checkedAt, ctx.clock());
    const status: HealthStatus = isKnown ? (now.status === "healthy" ? "healthy" : "error") : "unknown";
    return { id, isActive: row?.isActive ?? false, status };
  });
  return new Map(
    tenants.map((tenant): [string, Systems] => {
      const offices = officesOf(listed, tenant);
      const used = new Set([tenant.fhirProviderId, ...offices.map(({ fhirProviderId }) => fhirProviderId)]);
      return [tenant.id, { tenant, plan: tenant.plan, offices, fhir: found.filter(({ id }) => used.has(id)) }];
    }),
  );
}

/** The rows between a tenant and the next one. */
const officesOf = (listed: readonly (TenantDirectoryRow | OfficeRow)[], tenant: TenantDirectoryRow): OfficeRow[] => {
  const rest = listed.slice(listed.indexOf(tenant) + 1);
  const next = rest.findIndex((row) => "organizationType" in row);
  return (next === -1 ? rest : rest.slice(0, next)) as OfficeRow[];
};
