import { keys, type AuditCategory, type ChainRow } from "@vitaline/store";
import { partitions, tenantPartitions, type Key } from "@vitaline/store/keys.ts";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";

/** A tenant's chain, or the platform's own: its head, and the handle that reaches it and its rows. */
export type Chain = { store: PlatformStore; key: Key<ChainRow>; partitionOf(month: string, category: AuditCategory): string };

export const chainOf = ({ platform }: PlatformContext, tenantId: string | undefined): Chain =>
  tenantId === undefined
    ? { store: platform, key: keys.platformChain(), partitionOf: partitions.platformAudit }
    : {
        store: platform.inTenant(tenantId),
        key: keys.tenantChain(),
        partitionOf: (month, category) => tenantPartitions.audit(tenantId, month, category),
      };
