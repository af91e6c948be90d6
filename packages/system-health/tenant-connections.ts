import type { HealthStatus, ServiceHealth } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { listTenantFhirProviders } from "@vitaline/fhir-providers";
import { allRows, keys, tenantStore, type OfficeRow, type TenantRow, type VoiceProviderRow } from "@vitaline/store";
import { tenantPartitions } from "@vitaline/store/keys.ts";
import type { HealthContext, ScopedContext } from "@vitaline/store/scoped.ts";
import { isStale } from "./platform-status.ts";

/** `status` and `ms` of the last probe, unknown if there was none recently or since the last change; `code`: why it is not healthy. */
export type TenantConnection = {
  id: string;
  name: string;
  isActive: boolean;
  status: HealthStatus;
  ms: number | null;
  code: string | undefined;
};

export type TenantConnections = {
  tenant: TenantRow;
  offices: OfficeRow[];
  /** The record systems that the tenant or an office uses or owns. */
  fhir: TenantConnection[];
  voice: TenantConnection[];
};

export async function readConnections(ctx: ScopedContext<"health" | "ehr">, tenant: TenantRow): Promise<TenantConnections> {
  const [offices, fhir, voice] = await awaitAllThenThrow([
    readOffices(ctx, tenant.id),
    fhirConnections(ctx, tenant),
    voiceConnections(ctx, tenant.id),
  ]);
  return { tenant, offices, fhir, voice };
}

export const readOffices = (ctx: ScopedContext<"ehr">, tenantId: string): Promise<OfficeRow[]> =>
  allRows<OfficeRow>(tenantStore(ctx, tenantId), tenantPartitions.config(tenantId), { prefix: "OFFICE#" });

export const asService = ({ name, status, ms }: TenantConnection): ServiceHealth => ({ name, status, responseTime: ms });

async function fhirConnections(ctx: ScopedContext<"health" | "ehr">, tenant: TenantRow): Promise<TenantConnection[]> {
  const providers = await listTenantFhirProviders(ctx, tenant, []);
  const wanted = providers.slice(0, maxPerRead).map(({ id }) => keys.fhirHealth(id));
  const healths = wanted.length === 0 ? [] : await ctx.platform.batchGet(wanted);
  return providers.map(({ id, providerName, isActive, connectionStatus }, at) => {
    const health = fresh(ctx, connectionStatus === "unknown" ? undefined : healths[at]);
    const status = health?.status === "healthy" ? "healthy" : "error";
    return connectionOf({ id, name: providerName, isActive }, health && { ...health, status });
  });
}

async function voiceConnections(ctx: HealthContext, tenantId: string): Promise<TenantConnection[]> {
  const { rows } = await tenantStore(ctx, tenantId).query<VoiceProviderRow>(tenantPartitions.config(tenantId), { prefix: "VOICE#" });
  const wanted = rows.slice(0, maxPerRead).map(({ id }) => keys.voiceHealth(id));
  const healths = wanted.length === 0 ? [] : await ctx.platform.batchGet(wanted);
  return rows.map(({ id, providerName, isActive, version = 1 }, at) => {
    const health = fresh(ctx, healths[at]);
    return connectionOf({ id, name: providerName, isActive }, health?.version === version ? health : undefined);
  });
}

/** Rows per BatchGet; further connections are shown as unknown. */
const maxPerRead = 100;

const fresh = <Row extends { checkedAt: string }>(ctx: HealthContext, health: Row | undefined): Row | undefined =>
  health && !isStale(health.checkedAt, ctx.clock()) ? health : undefined;

type Probed = { status: HealthStatus; ms: number; code?: string };

const connectionOf = (connection: Pick<TenantConnection, "id" | "name" | "isActive">, health: Probed | undefined): TenantConnection =>
  connection.isActive && health
    ? { ...connection, status: health.status, ms: health.ms, code: health.code }
    : { ...connection, status: "unknown", ms: null, code: undefined };
