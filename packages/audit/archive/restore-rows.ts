import { archiveMetadata, getArchive } from "@vitaline/aws";
import { inBatches, isAppError, parseJson } from "@vitaline/core";
import { type AuditRow, type ChainRow, create, put } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { feedKey, feedRow } from "../feed/feed.ts";
import { BatchMetadata, moveHead } from "./archive-rows.ts";
import { batchName, readBatch } from "./batch.ts";
import { openChain } from "./chain.ts";
import { isInFeed } from "./verify-feed.ts";

/** A DynamoDB transaction has at most 100 items, including its own audit row. */
const rowsPerCommit = 50;

/** The rows of a chain, as the archive has them, batch by batch. */
export async function* archivedRows(tenantId: string | undefined): AsyncGenerator<AuditRow[]> {
  for (let number = 1; ; number++) {
    const object = await getArchive(batchName(tenantId, number));
    if (!object) return;
    yield readBatch(object.lines ?? "").lines.flatMap(({ text, row }) => (row ? [parseJson(text) as AuditRow] : []));
  }
}

/**
 * For a restored table that is not open yet: puts back the audit rows that the archive has and the table lacks, and moves the chain's head
 * to the archive's last batch. Returns the rows that it put back. The table must not have a stream, or they would be archived twice.
 */
export async function restoreAudit(ctx: PlatformContext, tenantId: string | undefined): Promise<AuditRow[]> {
  const { store, key, rowKey } = openChain(ctx, tenantId);
  const keyOf = ({ at, category, id }: AuditRow) => rowKey(at.slice(0, 7), category, id);
  const nowSeconds = ctx.clock().getTime() / 1000;
  const restored: AuditRow[] = [];
  for await (const batch of archivedRows(tenantId)) {
    const rows = batch.filter(({ expiresAt }) => expiresAt > nowSeconds);
    const present = await inBatches(rows, (some) => store.batchGet(some.map(keyOf)));
    const missing = rows.filter((_, at) => present[at] === undefined);
    for (let from = 0; from < missing.length; from += rowsPerCommit) {
      const some = missing.slice(from, from + rowsPerCommit);
      await store.commit(
        some.map((row) => create(keyOf(row), row)),
        { category: "configuration_change", action: "audit.restore", resourceType: "AuditLog", detail: { rows: some.length } },
      );
      for (const row of some) if (isInFeed(row, nowSeconds * 1000)) await ctx.platform.writeUnaudited(put(feedKey(row), feedRow(row)));
      restored.push(...some);
    }
  }
  for (let head: ChainRow | undefined = await store.get(key); ; head = await store.get(key)) {
    const next = await archiveMetadata(batchName(tenantId, (head?.batches ?? 0) + 1)).catch((error: unknown) => {
      if (isAppError(error, "unavailable")) throw error;
      return undefined;
    });
    if (next === undefined) return restored;
    await moveHead(ctx, tenantId, head, z.parse(BatchMetadata, next));
  }
}
