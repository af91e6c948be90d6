import type { AuditStatus } from "@vitaline/contract";
import { keys, type TenantContext } from "@vitaline/store";

const retentionYears = 7;

/** How long the tenant's audit is kept, how much of it lies in the archive, and what its last verification found. One Get. */
export async function auditStatus(ctx: TenantContext): Promise<AuditStatus> {
  const chain = await ctx.store.get(keys.tenantChain());
  return {
    retentionYears,
    archivedRows: chain?.rows ?? 0,
    archivedAt: chain?.at ?? null,
    lastVerifiedAt: chain?.lastVerifiedAt ?? null,
    intact: chain?.lastVerifiedAt === undefined ? null : chain.intactRows === chain.verifiedRows,
  };
}
