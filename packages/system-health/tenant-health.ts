import type { HealthStatus, ServiceHealth, SystemHealth } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { listTenantFhirProviders } from "@vitaline/fhir-providers";
import { keys, type TenantRow, type VoiceProviderRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { isStale, overallStatus, partsOf, readPlatform, statusOf } from "./platform-status.ts";

/**
 * How the platform is, and this tenant's own connections: the record systems that it or an office uses or keeps, and its
 * voice platforms. What was not probed since it was last changed, or not lately, is unknown. Every number was measured; see the contract.
 */
export async function tenantHealth(ctx: PlatformContext, tenant: TenantRow): Promise<SystemHealth> {
  const [platform, fhir, voice] = await allDone([readPlatform(ctx), fhirServices(ctx, tenant), voiceServices(ctx, tenant.id)]);
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

async function fhirServices(ctx: PlatformContext, tenant: TenantRow): Promise<ServiceHealth[]> {
  const providers = await listTenantFhirProviders(ctx, tenant, []);
  const wanted = providers.slice(0, perRead).map(({ id }) => keys.fhirHealth(id));
  const healths = wanted.length === 0 ? [] : await ctx.platform.batchGet(wanted);
  return providers.map(({ providerName, isActive, connectionStatus }, at) => {
    const health = fresh(ctx, connectionStatus === "unknown" ? undefined : healths[at]);
    return serviceOf(providerName, isActive, health && { status: health.status === "healthy" ? "healthy" : "error", ms: health.ms });
  });
}

async function voiceServices(ctx: PlatformContext, tenantId: string): Promise<ServiceHealth[]> {
  const { rows } = await ctx.platform.query<VoiceProviderRow>(tenantPartitions.config(tenantId), { prefix: "VOICE#" });
  const wanted = rows.slice(0, perRead).map(({ id }) => keys.voiceHealth(id));
  const healths = wanted.length === 0 ? [] : await ctx.platform.batchGet(wanted);
  return rows.map(({ providerName, isActive, version = 1 }, at) => {
    const health = fresh(ctx, healths[at]);
    return serviceOf(providerName, isActive, health?.version === version ? health : undefined);
  });
}

/** As many rows as one read takes; of more connections than that a tenant is shown the rest as unknown. */
const perRead = 100;

const fresh = <Row extends { checkedAt: string }>(ctx: PlatformContext, health: Row | undefined): Row | undefined =>
  health && !isStale(health.checkedAt, ctx.clock()) ? health : undefined;

/** What was switched off answers for nobody, and nobody is to be told that it is well. */
const serviceOf = (name: string, isActive: boolean, health: { status: HealthStatus; ms: number } | undefined): ServiceHealth =>
  isActive && health ? { name, status: health.status, responseTime: health.ms } : { name, status: "unknown", responseTime: null };
