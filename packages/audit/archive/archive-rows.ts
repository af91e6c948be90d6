import { archiveMetadata, putArchive, type ArchiveMetadata } from "@vitaline/aws";
import { awaitAllThenThrow, dayMs } from "@vitaline/core";
import { type ArchivedPositionRow, put, update, type ChainRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { batchName, writeBatch } from "./batch.ts";
import { chainStart, openChain } from "./chain.ts";

/** An audit row from the stream. Positions within a lane have a fixed width, so they compare as text. */
export type StreamedRow = { position: string; tenantId: string | undefined; row: Record<string, unknown> };

/** Object metadata of a batch: the chain's new head, and the part of the stream that the batch contains. */
export const BatchMetadata = z.object({ hash: z.string(), rows: z.coerce.number(), lane: z.string(), position: z.string() });
type BatchMetadata = z.infer<typeof BatchMetadata>;

/** DynamoDB keeps stream records for one day, so a position that has not moved for two is not needed. */
const positionDays = 2;

/**
 * Appends rows of one stream lane to their tenants' chains in the archive, exactly once, even if rows are delivered again or split
 * differently.
 *
 * Why exactly once: (1) A chain's nth batch has one object key, and the bucket accepts a key only once; a second writer adopts the
 * existing batch. (2) A batch is built from the chain's head at n-1 and records its lane and position. The head moves from n-1 to n
 * conditionally, in one transaction with the lane's position in this chain. So a row is in the chain if and only if it is at or below
 * that position, even after a crash between bucket and head: the next writer of batch n finds it and moves the head first. (3) A lane
 * delivers in order, so a position never skips rows.
 */
export async function archiveRows(ctx: PlatformContext, lane: string, arrived: readonly StreamedRow[]): Promise<void> {
  const byTenant = Map.groupBy(arrived, ({ tenantId }) => tenantId);
  await awaitAllThenThrow([...byTenant].map(([tenantId, rows]) => extendChain(ctx, tenantId, lane, rows)));
}

const extendChain = async (
  ctx: PlatformContext,
  tenantId: string | undefined,
  lane: string,
  rows: readonly StreamedRow[],
): Promise<void> => {
  const { store, key, positionKey } = openChain(ctx, tenantId);
  for (let rest = rows; ;) {
    const head = await store.get(key);
    // After the head: an old position with a new head would put rows into the chain twice, and BatchGetItem is no snapshot
    const reached = await store.get(positionKey(lane));
    rest = rest.filter(({ position }) => position > (reached?.position ?? ""));
    const last = rest.at(-1);
    if (!last) return;
    const number = (head?.batches ?? 0) + 1;
    const name = batchName(tenantId, number);
    const { lines, hash } = writeBatch(
      number,
      head?.hash ?? chainStart(tenantId),
      rest.map(({ row }) => row),
    );
    const metadata: ArchiveMetadata = { hash, rows: String(rest.length), lane, position: last.position };
    const stored = (await putArchive(name, lines, metadata)) ? metadata : await archiveMetadata(name);
    // If another writer has moved the head, the next round reads it again.
    await moveHead(ctx, tenantId, head, z.parse(BatchMetadata, stored));
  }
};

/** Moves the head to the next batch, if it is still where it was. */
export const moveHead = (
  ctx: PlatformContext,
  tenantId: string | undefined,
  head: ChainRow | undefined,
  { hash, rows, lane, position }: BatchMetadata,
): Promise<boolean> => {
  const now = ctx.clock();
  const set = { hash, batches: (head?.batches ?? 0) + 1, rows: (head?.rows ?? 0) + rows, at: now.toISOString() };
  const { key, positionKey } = openChain(ctx, tenantId);
  const moved = update(key, { set }, head ? { equals: { batches: head.batches } } : { exists: false });
  const expiresAt = Math.floor((now.getTime() + positionDays * dayMs) / 1000);
  const reached = put<ArchivedPositionRow>(positionKey(lane), { position, expiresAt });
  const owner = tenantId === undefined ? {} : { tenantId };
  return ctx.platform.writeAllUnaudited([moved, reached].map((write) => ({ ...owner, write })));
};
