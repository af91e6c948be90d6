import type {
  ConnectionTestResult,
  FhirAssigned,
  FhirProvider,
  FhirProviderChange,
  NewFhirProvider,
  TenantFhirProvider,
} from "@vitaline/contract";
import { awaitAllThenThrow, AppError, notFound } from "@vitaline/core";
import { allRows, type FhirProviderRow, keys, type OfficeRow, tenantStore, type TenantRow } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import type { EhrRegistryContext, ScopedContext } from "@vitaline/store/scoped.ts";
import { countConnectionTest, testConnection } from "../health/connection-test.ts";
import { currentHealth } from "../health/save-health.ts";
import { beginAuthorization, type SessionRef } from "../oauth/authorize.ts";
import { clientAuthOf } from "../provider/credentials.ts";
import { type Operation, operationsByAccess } from "../provider/granted-scopes.ts";
import { type ProviderWithHealth, readFhirProvider } from "../provider/provider-row.ts";
import { assignOfficeFhirProvider } from "./assignments.ts";
import { asFhirProvider, createFhirProvider, updateFhirProvider } from "./registry.ts";

const maxBatch = 50;

async function readWithHealth(ctx: EhrRegistryContext, ids: string[]): Promise<ProviderWithHealth[]> {
  const batches = Array.from({ length: Math.ceil(ids.length / maxBatch) }, (_, index) =>
    ids.slice(index * maxBatch, (index + 1) * maxBatch),
  );
  const results = await awaitAllThenThrow(
    batches.map(async (batch) => {
      const [rows, healths] = await awaitAllThenThrow([
        ctx.platform.batchGet(batch.map((id) => keys.fhirProvider(id))),
        ctx.platform.batchGet(batch.map((id) => keys.fhirHealth(id))),
      ]);
      return rows.flatMap((row, index) => (row ? [{ row, health: healths[index] }] : []));
    }),
  );
  return results.flat();
}

const readOwnIds = async (ctx: EhrRegistryContext, tenantId: string): Promise<string[]> =>
  (await allRows<{ id: string }>(tenantStore(ctx, tenantId), tenantPartitions.config(tenantId), { prefix: "FHIR#" })).map(({ id }) => id);

/** The providers that a tenant uses or owns, oldest first, each with the operations that its scopes allow. Two reads. */
export async function listTenantFhirProviders(
  ctx: EhrRegistryContext,
  tenant: TenantRow,
  operations: readonly Operation[],
): Promise<TenantFhirProvider[]> {
  const [own, offices] = await awaitAllThenThrow([
    readOwnIds(ctx, tenant.id),
    allRows<OfficeRow>(tenantStore(ctx, tenant.id), tenantPartitions.config(tenant.id), { prefix: "OFFICE#" }),
  ]);
  const used = [tenant.fhirProviderId, ...offices.map(({ fhirProviderId }) => fhirProviderId)].filter((id) => id !== undefined);
  const providers = await readWithHealth(ctx, [...new Set([...own, ...used])].toSorted());
  return providers.map(({ row, health }) => ({
    id: row.id,
    providerName: row.name,
    providerType: row.providerType,
    fhirVersion: row.fhirVersion,
    authMethod: clientAuthOf(row) === "client_secret" ? "oauth2" : "certificate",
    baseUrl: row.baseUrl,
    isActive: row.isActive,
    connectionStatus: currentHealth(row, health)?.status ?? "unknown",
    isOwn: row.ownerTenantId === tenant.id,
    isDefault: row.id === tenant.fhirProviderId,
    operations: operationsByAccess(row, operations).allowed,
    version: row.version ?? 1,
  }));
}

/** The providers that a tenant owns, in full. */
export const listOwnFhirProviders = async (ctx: EhrRegistryContext, tenant: TenantRow): Promise<FhirProvider[]> =>
  (await readWithHealth(ctx, await readOwnIds(ctx, tenant.id))).map(({ row, health }) => asFhirProvider(row, health, tenant.name));

/** AppError `forbidden` unless the tenant's policy allows providers of its own. */
export async function createOwnFhirProvider(ctx: EhrRegistryContext, tenant: TenantRow, input: NewFhirProvider): Promise<FhirProvider> {
  requireOwnProvidersPolicy(tenant);
  return { ...(await createFhirProvider(ctx, input, tenant.id)), ownerTenantName: tenant.name };
}

/** AppError `forbidden` also for a platform's provider that the tenant uses, `not_found` for all others. */
export async function updateOwnFhirProvider(
  ctx: EhrRegistryContext,
  tenant: TenantRow,
  id: string,
  change: FhirProviderChange,
  ifMatch: number | undefined,
): Promise<FhirProvider> {
  const row = await readUsedOrOwn(ctx, tenant, id);
  if (row.ownerTenantId !== tenant.id)
    throw new AppError("forbidden", "The platform manages this record system, so only the platform can change it.");
  requireOwnProvidersPolicy(tenant);
  return { ...(await updateFhirProvider(ctx, id, change, { ifMatch, ownerTenantId: tenant.id })), ownerTenantName: tenant.name };
}

/** Tests a provider that the tenant uses or owns; audited in the tenant's log. AppError `not_found`, `too_many_requests`. */
export async function testTenantFhirProvider(
  ctx: ScopedContext<"ehr" | "throttle">,
  tenant: TenantRow,
  id: string,
  patientId: string,
  operations: readonly Operation[] = [],
): Promise<ConnectionTestResult> {
  await countConnectionTest(ctx);
  const row = await readUsedOrOwn(ctx, tenant, id);
  return testConnection({ ...ctx, platform: ctx.platform.inTenant(tenant.id) }, row, patientId, operations);
}

/** See beginAuthorization. AppError `not_found` for a provider of another owner, `forbidden` as for updates. */
export async function beginOwnAuthorization(ctx: EhrRegistryContext, tenant: TenantRow, id: string, by: SessionRef) {
  // The owner is checked first: a provider of another owner is `not_found`, not `forbidden`.
  await readFhirProvider(ctx, id, tenant.id);
  requireOwnProvidersPolicy(tenant);
  return beginAuthorization(ctx, id, { ...by, tenantId: tenant.id }, tenant.id);
}

/**
 * Assigns an office a provider that the tenant uses or owns; null: it inherits the tenant's. AppError `not_found` for any other office or
 * provider, and as for assignOfficeFhirProvider.
 */
export async function assignOwnOfficeFhirProvider(
  ctx: EhrRegistryContext,
  tenant: TenantRow,
  officeId: string,
  fhirProviderId: string | null,
  ifMatch?: number,
): Promise<FhirAssigned> {
  if (fhirProviderId !== null) await readUsedOrOwn(ctx, tenant, fhirProviderId);
  return assignOfficeFhirProvider(ctx, tenant.id, officeId, fhirProviderId, ifMatch);
}

function requireOwnProvidersPolicy({ policies }: TenantRow): void {
  if (policies?.ownFhirProviders) return;
  throw new AppError("forbidden", "Your organization may not add its own record systems. Please ask the platform to add one.");
}

/** A provider that the tenant owns, or that it or one of its offices uses. AppError `not_found`. */
export async function readUsedOrOwn(ctx: EhrRegistryContext, tenant: TenantRow, id: string): Promise<FhirProviderRow> {
  const [row, users] = await awaitAllThenThrow([
    ctx.platform.get(keys.fhirProvider(id)),
    ctx.platform.query(partitions.fhirConnection(id), { prefix: `USEDBY#${tenant.id}#`, limit: 1 }),
  ]);
  if (!row || (row.ownerTenantId !== tenant.id && users.rows.length === 0)) throw notFound();
  return row;
}
