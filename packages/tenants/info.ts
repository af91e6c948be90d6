import { revealApiKey } from "@vitaline/api-keys";
import type { TenantInfo } from "@vitaline/contract";
import type { TenantContext, TenantRow } from "@vitaline/store";

/** What a tenant's administrator sees of the organisation, key included. */
export async function tenantInfo(ctx: TenantContext, tenant: TenantRow): Promise<TenantInfo> {
  return {
    tenantId: tenant.id,
    organizationName: tenant.name,
    apiKey: await revealApiKey(ctx, tenant),
    isActive: tenant.isActive,
    createdAt: tenant.createdAt,
  };
}
