import { createHash } from "node:crypto";
import type { Counts } from "@vitaline/calls";
import type { AuditStatus } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { type ArchivedPositionRow, keys, type AuditCategory, type AuditRow, type ChainRow, type TenantContext } from "@vitaline/store";
import { partitions, tenantPartitions, type Key } from "@vitaline/store/keys.ts";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";

const retentionYears = 7;

/** The hash chain of a tenant's audit rows, or of the platform's own: the keys of its head and of shards' positions, and access to its rows. */
export type Chain = {
  store: PlatformStore;
  key: Key<ChainRow>;
  positionKey(shardHash: string): Key<ArchivedPositionRow>;
  partitionOf(month: string, category: AuditCategory): string;
  rowKey(month: string, category: AuditCategory, id: string): Key<AuditRow>;
};

export const openChain = ({ platform }: PlatformContext, tenantId: string | undefined): Chain =>
  tenantId === undefined
    ? {
        store: platform,
        key: keys.platformChain(),
        positionKey: keys.platformArchivedPosition,
        partitionOf: partitions.platformAudit,
        rowKey: keys.platformAudit,
      }
    : {
        store: platform.inTenant(tenantId),
        key: keys.tenantChain(),
        positionKey: keys.archivedPosition,
        partitionOf: (month, category) => tenantPartitions.audit(tenantId, month, category),
        rowKey: keys.audit,
      };

/** The first hash of a chain. It differs between tenants, so that one chain cannot replace another. */
export const chainStart = (tenantId: string | undefined): string =>
  tenantId === undefined ? sha256In("audit-chain-of-the-platform") : sha256In("audit-chain", tenantId);

/** SHA-256 of the previous hash and the row's canonical JSON, in hex. */
export const chainHash = (previous: string, row: string): string => createHash("sha256").update(previous).update(row).digest("hex");

/** JSON without spaces, with object keys sorted by code units and undefined values omitted. Throws TypeError for other types. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(",")}}`;
  }
  const isPlain = value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
  if (!isPlain) throw new TypeError("Not a value of JSON");
  return JSON.stringify(value);
}

/** One Get. */
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

/** A chain's share of the platform's totals, as of its last verification. */
export function countsOfChain({
  rows,
  lastVerifiedAt,
  verifiedRows = 0,
  intactRows = 0,
}: Pick<ChainRow, "rows" | "lastVerifiedAt" | "verifiedRows" | "intactRows">): Counts {
  const isVerified = lastVerifiedAt !== undefined;
  return {
    chainedRows: rows,
    verifiedRows,
    intactRows,
    verifiedChains: Number(isVerified),
    intactChains: Number(isVerified && intactRows === verifiedRows),
  };
}
