import { revealApiKey } from "@vitaline/api-keys";
import type { TenantInfo } from "@vitaline/contract";
import type { TenantContext, TenantRow } from "@vitaline/store";

/** What a tenant's administrator sees of the organisation; with its key unless they look only at the rest. */
export async function tenantInfo(ctx: TenantContext, tenant: TenantRow, withKey = true): Promise<TenantInfo> {
  return {
    tenantId: tenant.id,
    organizationName: tenant.name,
    apiKey: withKey ? await revealApiKey(ctx, tenant) : null,
    isActive: tenant.isActive,
    createdAt: tenant.createdAt,
  };
}
