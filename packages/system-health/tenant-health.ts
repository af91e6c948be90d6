import type { HealthStatus, ServiceHealth, SystemHealth } from "@vitaline/contract";
import { settleAll } from "@vitaline/core";
import { listTenantFhirProviders } from "@vitaline/fhir-providers";
import { keys, tenantStore, type TenantRow, type VoiceProviderRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import type { HealthContext, ScopedContext } from "@vitaline/store/scoped.ts";
import { isStale, overallStatus, partsOf, readPlatform, statusOf } from "./platform-status.ts";

/**
 * The platform's health, and the tenant's own connections: the record systems that it or an office uses or owns, and its voice
 * platforms. A connection is unknown if it was not probed recently, or not since its last change.
 */
export async function tenantHealth(ctx: ScopedContext<"health" | "ehr">, tenant: TenantRow): Promise<SystemHealth> {
  const [platform, fhir, voice] = await settleAll([readPlatform(ctx), fhirServices(ctx, tenant), voiceServices(ctx, tenant.id)]);
  const parts = partsOf(ctx, platform.latest, platform.days);
  const [fhirConnectivity, voiceAgentStatus] = [statusOf(fhir), statusOf(voice)];
  return {
    ...parts,
    overallStatus: overallStatus(parts.services, [fhirConnectivity, voiceAgentStatus]),
    voiceAgentStatus,
    fhirConnectivity,
    services: [...parts.services, ...fhir, ...voice],
  };
}

async function fhirServices(ctx: ScopedContext<"health" | "ehr">, tenant: TenantRow): Promise<ServiceHealth[]> {
  const providers = await listTenantFhirProviders(ctx, tenant, []);
  const wanted = providers.slice(0, maxPerRead).map(({ id }) => keys.fhirHealth(id));
  const healths = wanted.length === 0 ? [] : await ctx.platform.batchGet(wanted);
  return providers.map(({ providerName, isActive, connectionStatus }, at) => {
    const health = fresh(ctx, connectionStatus === "unknown" ? undefined : healths[at]);
    return serviceOf(providerName, isActive, health && { status: health.status === "healthy" ? "healthy" : "error", ms: health.ms });
  });
}

async function voiceServices(ctx: HealthContext, tenantId: string): Promise<ServiceHealth[]> {
  const { rows } = await tenantStore(ctx, tenantId).query<VoiceProviderRow>(tenantPartitions.config(tenantId), { prefix: "VOICE#" });
  const wanted = rows.slice(0, maxPerRead).map(({ id }) => keys.voiceHealth(id));
  const healths = wanted.length === 0 ? [] : await ctx.platform.batchGet(wanted);
  return rows.map(({ providerName, isActive, version = 1 }, at) => {
    const health = fresh(ctx, healths[at]);
    return serviceOf(providerName, isActive, health?.version === version ? health : undefined);
  });
}

/** Rows per BatchGet; further connections are shown as unknown. */
const maxPerRead = 100;

const fresh = <Row extends { checkedAt: string }>(ctx: HealthContext, health: Row | undefined): Row | undefined =>
  health && !isStale(health.checkedAt, ctx.clock()) ? health : undefined;

const serviceOf = (name: string, isActive: boolean, health: { status: HealthStatus; ms: number } | undefined): ServiceHealth =>
  isActive && health ? { name, status: health.status, responseTime: health.ms } : { name, status: "unknown", responseTime: null };
