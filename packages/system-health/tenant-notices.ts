import { toolUsage } from "@vitaline/calls/metrics/call-metrics.ts";
import type { TenantNotice, ToolUsage } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { listTenantFhirProviders } from "@vitaline/fhir-providers";
import { cacheRetentionAndZone, tenantStore, type OfficeRow, type TenantRow } from "@vitaline/store";
import type { ScopedContext } from "@vitaline/store/scoped.ts";
import { readConnections, readOffices, type TenantConnections } from "./tenant-connections.ts";

/** The voice platform or the record system refuses the stored key or secret. */
const refusedKey = new Set([
  "voice_platform_auth",
  "invalid_client",
  "key_not_found",
  "key_mismatch",
  "no_signing_key",
  "token_refused",
  "not_authorized",
  "authorization_ended",
]);

/** Fewer runs say nothing yet. */
const leastRuns = 4;

/**
 * What keeps a tenant's voice agents from working now: no record system, connections that fail or refuse the key, as of the last
 * probe, and failures of at least half of all tool runs of yesterday and today. At constant cost.
 */
export async function tenantNotices(ctx: ScopedContext<"health" | "ehr">, tenant: TenantRow): Promise<TenantNotice[]> {
  const [connections, tools] = await awaitAllThenThrow([readConnections(ctx, tenant), failingTools(ctx, tenant)]);
  return [...missingRecordSystem(connections), ...brokenConnections(connections), ...tools];
}

/** The notices that are no single connection's, for the list of work: no check of a connection tells when they begin and end. */
export async function tenantTroubles(
  ctx: ScopedContext<"health" | "ehr">,
  tenant: TenantRow,
): Promise<Record<"no_record_system" | "tools_fail", boolean>> {
  const [offices, fhir, tools] = await awaitAllThenThrow([
    readOffices(ctx, tenant.id),
    listTenantFhirProviders(ctx, tenant, []),
    failingTools(ctx, tenant),
  ]);
  return { no_record_system: missingRecordSystem({ tenant, offices, fhir }).length > 0, tools_fail: tools.length > 0 };
}

export type RecordSystems = {
  tenant: Pick<TenantRow, "fhirProviderId">;
  offices: readonly Pick<OfficeRow, "name" | "isActive" | "fhirProviderId">[];
  fhir: readonly { id: string; isActive: boolean }[];
};

/** Whether an active office, or a tenant without offices, has no active record system. */
export function missingRecordSystem({ tenant, offices, fhir }: RecordSystems): TenantNotice[] {
  const active = new Set(fhir.filter(({ isActive }) => isActive).map(({ id }) => id));
  const has = (providerId: string | undefined): boolean => providerId !== undefined && active.has(providerId);
  const open = offices.filter(({ isActive }) => isActive);
  const without = open.filter(({ fhirProviderId }) => !has(fhirProviderId ?? tenant.fhirProviderId));
  if (open.length === 0 ? has(tenant.fhirProviderId) : without.length === 0) return [];
  return [{ ...none, kind: "no_record_system", names: without.length === open.length ? [] : without.map(({ name }) => name) }];
}

const brokenConnections = ({ tenant, offices, fhir, voice }: TenantConnections): TenantNotice[] => {
  const used = new Set([tenant.fhirProviderId, ...offices.map(({ fhirProviderId }) => fhirProviderId)]);
  const broken = [
    ...fhir.filter(({ id }) => used.has(id)).map((one) => ({ ...one, kind: "record_system_fails" as const })),
    ...voice.map((one) => ({ ...one, kind: "voice_platform_fails" as const })),
  ];
  return broken
    .filter(({ status }) => status === "error")
    .map(({ kind, name, code }) => ({ ...none, kind: refusedKey.has(code ?? "") ? ("key_refused" as const) : kind, names: [name] }));
};

/** Of all tools together, so that one that is seldom used does not warn. */
export const failingTools = async (ctx: ScopedContext<"health" | "ehr">, tenant: TenantRow): Promise<TenantNotice[]> => {
  cacheRetentionAndZone(tenant.id, tenant, ctx.clock().getTime());
  const { platform: _outside, ...inside } = ctx;
  const used = await toolUsage({ ...inside, tenantId: tenant.id, store: tenantStore(ctx, tenant.id) }, "24hours");
  const failuresOf = ({ count, successRate }: ToolUsage): number => Math.round(count * (1 - (successRate ?? 100) / 100));
  const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
  const [runs, failedRuns] = [sum(used.map(({ count }) => count)), sum(used.map(failuresOf))];
  if (runs < leastRuns || failedRuns * 2 < runs) return [];
  const names = used.filter((tool) => failuresOf(tool) * 2 >= tool.count && tool.count > 0).map(({ toolName }) => toolName);
  return [{ kind: "tools_fail", names, runs, failedRuns }];
};

const none = { runs: null, failedRuns: null };
