import { issueApiKey } from "@vitaline/api-keys";
import type { NewTenant, Tenant, TenantWithKey } from "@vitaline/contract";
import { newId, type Context } from "@vitaline/core";
import { create, keys, tenantStore, type TenantDirectoryRow, type TenantRow } from "@vitaline/store";

const defaultTimeZone = "America/New_York";

export const asTenant = ({
  id,
  name,
  organizationType,
  contactEmail,
  contactPhone,
  address,
  description,
  isActive,
  createdAt,
  version,
}: TenantDirectoryRow): Tenant => ({
  id,
  name,
  organizationType,
  contactEmail,
  contactPhone: contactPhone ?? null,
  address: address ?? null,
  description: description ?? null,
  isActive,
  createdAt,
  version: version ?? 1,
});

/** Creates the tenant with its first API key in one transaction. */
export async function createTenant(ctx: Context, input: NewTenant): Promise<TenantWithKey> {
  const id = newId(ctx.clock().getTime());
  const { apiKey, keyId, writes } = await issueApiKey(ctx, id);
  const listed: TenantDirectoryRow = { ...input, id, isActive: true, createdAt: ctx.clock().toISOString() };
  const row: TenantRow = { ...listed, epoch: 0, apiKeyId: keyId, voiceProviderCount: 0, timeZone: defaultTimeZone };
  await tenantStore(ctx, id).commit([create(keys.tenantConfig(), row), create(keys.tenantDirectory(), listed), ...writes], {
    category: "configuration_change",
    action: "tenant.create",
    resourceType: "Tenant",
    resourceId: id,
  });
  return { ...asTenant(listed), apiKey };
}
