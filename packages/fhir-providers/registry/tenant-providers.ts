import type {
  ConnectionTestResult,
  FhirAssigned,
  FhirProvider,
  FhirProviderChange,
  NewFhirProvider,
  TenantFhirProvider,
} from "@vitaline/contract";
import { allDone, AppError, notFound } from "@vitaline/core";
import { allRows, type FhirProviderRow, keys, type OfficeRow, type TenantRow } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { testConnection } from "../health/connection-test.ts";
import { healthNow } from "../health/save-health.ts";
import { beginAuthorization, type SignedIn } from "../oauth/authorize.ts";
import { clientAuthOf } from "../provider/credentials.ts";
import { type Operation, operationsByAccess } from "../provider/granted-scopes.ts";
import { type ProviderWithHealth, readFhirProvider } from "../provider/provider-row.ts";
import { assignOfficeFhirProvider } from "./assignments.ts";
import { asFhirProvider, createFhirProvider, updateFhirProvider } from "./registry.ts";

const maxBatch = 50;

async function readMany(ctx: PlatformContext, ids: string[]): Promise<ProviderWithHealth[]> {
  const batches = Array.from({ length: Math.ceil(ids.length / maxBatch) }, (_, index) =>
    ids.slice(index * maxBatch, (index + 1) * maxBatch),
  );
  const read = await allDone(
    batches.map(async (batch) => {
      const [rows, healths] = await allDone([
        ctx.platform.batchGet(batch.map((id) => keys.fhirProvider(id))),
        ctx.platform.batchGet(batch.map((id) => keys.fhirHealth(id))),
      ]);
      return rows.flatMap((row, index) => (row ? [{ row, health: healths[index] }] : []));
    }),
  );
  return read.flat();
}

const ownIds = async (ctx: PlatformContext, tenantId: string): Promise<string[]> =>
  (await allRows<{ id: string }>(ctx.platform, tenantPartitions.config(tenantId), { prefix: "FHIR#" })).map(({ id }) => id);

/** The providers that a tenant uses or keeps, oldest first, each with those operations that its scopes allow. Two reads: which, then what they are. */
export async function listTenantFhirProviders(
  ctx: PlatformContext,
  tenant: TenantRow,
  operations: readonly Operation[],
): Promise<TenantFhirProvider[]> {
  const [own, offices] = await allDone([
    ownIds(ctx, tenant.id),
    allRows<OfficeRow>(ctx.platform, tenantPartitions.config(tenant.id), { prefix: "OFFICE#" }),
  ]);
  const used = [tenant.fhirProviderId, ...offices.map(({ fhirProviderId }) => fhirProviderId)].filter((id) => id !== undefined);
  const providers = await readMany(ctx, [...new Set([...own, ...used])].toSorted());
  return providers.map(({ row, health }) => ({
    id: row.id,
    providerName: row.name,
    providerType: row.providerType,
    fhirVersion: row.fhirVersion,
    authMethod: clientAuthOf(row) === "client_secret" ? "oauth2" : "certificate",
    baseUrl: row.baseUrl,
    isActive: row.isActive,
    connectionStatus: healthNow(row, health)?.status ?? "unknown",
    isOwn: row.ownerTenantId === tenant.id,
    isDefault: row.id === tenant.fhirProviderId,
    operations: operationsByAccess(row, operations).allowed,
    version: row.version ?? 1,
  }));
}

/** The providers that a tenant keeps, in full. */
export const listOwnFhirProviders = async (ctx: PlatformContext, tenant: TenantRow): Promise<FhirProvider[]> =>
  (await readMany(ctx, await ownIds(ctx, tenant.id))).map(({ row, health }) => asFhirProvider(row, health, tenant.name));

/** AppError `forbidden` unless the platform lets this tenant keep providers of its own. */
export async function createOwnFhirProvider(ctx: PlatformContext, tenant: TenantRow, input: NewFhirProvider): Promise<FhirProvider> {
  checkPolicy(tenant);
  return { ...(await createFhirProvider(ctx, input, tenant.id)), ownerTenantName: tenant.name };
}

/** AppError `forbidden` also for a provider that the tenant uses and the platform keeps, `not_found` for all others. */
export async function updateOwnFhirProvider(
  ctx: PlatformContext,
  tenant: TenantRow,
  id: string,
  change: FhirProviderChange,
  ifMatch: number | undefined,
): Promise<FhirProvider> {
  const row = await readUsedOrOwn(ctx, tenant, id);
  if (row.ownerTenantId !== tenant.id)
    throw new AppError("forbidden", "The platform keeps this record system, so only the platform can change it.");
  checkPolicy(tenant);
  return { ...(await updateFhirProvider(ctx, id, change, { ifMatch, keptBy: tenant.id })), ownerTenantName: tenant.name };
}

/** The connection test of a provider that the tenant uses or keeps; audited in the tenant's log. AppError `not_found`. */
export async function testTenantFhirProvider(
  ctx: PlatformContext,
  tenant: TenantRow,
  id: string,
  patientId: string,
  operations: readonly Operation[] = [],
): Promise<ConnectionTestResult> {
  const row = await readUsedOrOwn(ctx, tenant, id);
  return testConnection({ ...ctx, platform: ctx.platform.inTenant(tenant.id) }, row, patientId, operations);
}

/** Begins to let us in at a provider of the tenant's own; see beginAuthorization. AppError `not_found` for any other, `forbidden` as for a change. */
export async function beginOwnAuthorization(ctx: PlatformContext, tenant: TenantRow, id: string, by: SignedIn) {
  // Whose it is comes first: what is not theirs is not there
  await readFhirProvider(ctx, id, tenant.id);
  checkPolicy(tenant);
  return beginAuthorization(ctx, id, { ...by, tenantId: tenant.id }, tenant.id);
}

/**
 * Gives an office another record system of those that the tenant uses or keeps, or lets it inherit with null. Answers the office's
 * new version; AppError `not_found` for any other office or provider, and as for a tenant's own.
 */
export async function assignOwnOfficeFhirProvider(
  ctx: PlatformContext,
  tenant: TenantRow,
  officeId: string,
  fhirProviderId: string | null,
  ifMatch?: number,
): Promise<FhirAssigned> {
  if (fhirProviderId !== null) await readUsedOrOwn(ctx, tenant, fhirProviderId);
  return assignOfficeFhirProvider(ctx, tenant.id, officeId, fhirProviderId, ifMatch);
}

function checkPolicy({ policies }: TenantRow): void {
  if (policies?.ownFhirProviders) return;
  throw new AppError("forbidden", "Your organization may not keep record systems of its own. Please ask the platform to add one.");
}

/** A provider as far as it is any business of a tenant: used by it or by one of its offices, or its own. */
async function readUsedOrOwn(ctx: PlatformContext, tenant: TenantRow, id: string): Promise<FhirProviderRow> {
  const [row, users] = await allDone([
    ctx.platform.get(keys.fhirProvider(id)),
    ctx.platform.query(partitions.fhirUsers(id), { prefix: `USEDBY#${tenant.id}#`, limit: 1 }),
  ]);
  if (!row || (row.ownerTenantId !== tenant.id && users.rows.length === 0)) throw notFound();
  return row;
}
