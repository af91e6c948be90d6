import { type AuditCategory, type ChainRow, keys, type TenantContext } from "@vitaline/store";
import { type Key, partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";
import { createHash } from "node:crypto";
import { digest } from "@vitaline/core";
import type { AuditStatus } from "@vitaline/contract";
import type { Counts } from "@vitaline/calls";

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

/**
 * One text for one row, whoever wrote it down: JSON without spaces, the names of every object in the order of their code
 * units, absent values left out. Throws at what JSON cannot say.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
    const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
  }
  const plain = value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
  if (!plain) throw new TypeError("Not a value of JSON");
  return JSON.stringify(value);
}

/** Where a chain begins: each tenant's somewhere else, so that one cannot stand for another. */
export const chainStart = (tenantId: string | undefined): string =>
  tenantId === undefined ? digest("audit-chain-of-the-platform") : digest("audit-chain", tenantId);

/** The hash of a row in its chain: SHA-256 over the hash before it and the row's text, as 64 hex digits. */
export const chainHash = (before: string, row: string): string => createHash("sha256").update(before).update(row).digest("hex");

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

/** What a chain of audit rows stands for in the totals, as its last verification found it. */
export function countsOfChain({
  rows,
  lastVerifiedAt,
  verifiedRows = 0,
  intactRows = 0,
}: Pick<ChainRow, "rows" | "lastVerifiedAt" | "verifiedRows" | "intactRows">): Counts {
  const verified = lastVerifiedAt !== undefined;
  return {
    chainedRows: rows,
    verifiedRows,
    intactRows,
    verifiedChains: Number(verified),
    intactChains: Number(verified && intactRows === verifiedRows),
  };
}
