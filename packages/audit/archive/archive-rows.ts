import { type ArchiveNotes, archiveNotes, putArchive } from "@vitaline/aws";
import { allDone } from "@vitaline/core";
import { type ChainRow, update, type Write } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { batchName, writeBatch } from "./batch.ts";
import { chainOf, chainStart } from "./chain.ts";

/** An audit row as it came off the stream; positions in a lane have one width, so text compares as numbers do. */
export type Arrived = { position: string; tenantId: string | undefined; row: Record<string, unknown> };

/** What lies beside a batch: how the chain goes on from it, and which part of the stream is in it. */
const Notes = z.object({ hash: z.string(), rows: z.coerce.number(), lane: z.string(), position: z.string() });
type Notes = z.infer<typeof Notes>;

/** DynamoDB keeps stream records for one day; a mark that was not moved for two has nothing left to keep out. */
const markDays = 2;
const dayMs = 86_400_000;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Puts rows of one lane of the stream behind their tenants' chains in the archive, each exactly once, however often and
 * however cut they are delivered.
 *
 * Why it is exact: (1) A chain's nth batch has one name, and the bucket takes a name once: whoever comes second does not
 * write but takes over what lies there. (2) A batch is made from the chain's head as it was at n-1, and says itself which
 * part of which lane it holds; the head moves from n-1 to n by condition and takes that mark along. So "the position is at
 * or below the mark" and "the row is in the chain" are the same statement, also after a crash between bucket and head:
 * the next one that wants to write batch n finds it and moves the head first. (3) A lane delivers in order for the first
 * time, so a mark skips nothing.
 */
export async function archiveRows(ctx: PlatformContext, lane: string, arrived: readonly Arrived[]): Promise<void> {
  const byTenant = Map.groupBy(arrived, ({ tenantId }) => tenantId);
  await allDone([...byTenant].map(([tenantId, rows]) => extendChain(ctx, tenantId, lane, rows)));
}

const extendChain = async (ctx: PlatformContext, tenantId: string | undefined, lane: string, rows: readonly Arrived[]): Promise<void> => {
  const { store, key } = chainOf(ctx, tenantId);
  for (let rest = rows; ;) {
    const head = await store.get(key);
    const [reached = ""] = head?.marks[lane]?.split("@") ?? [];
    rest = rest.filter(({ position }) => position > reached);
    const last = rest.at(-1);
    if (!last) return;
    const number = (head?.batches ?? 0) + 1;
    const name = batchName(tenantId, number);
    const { lines, hash } = writeBatch(
      number,
      head?.hash ?? chainStart(tenantId),
      rest.map(({ row }) => row),
    );
    const notes: ArchiveNotes = { hash, rows: String(rest.length), lane, position: last.position };
    const there = (await putArchive(name, lines, notes)) ? notes : await archiveNotes(name);
    // Where somebody else has moved the head, the next round reads it anew.
    await store.note(movedHead(ctx, key, head, z.parse(Notes, there)));
  }
};

const movedHead = (
  { clock }: PlatformContext,
  key: ReturnType<typeof chainOf>["key"],
  head: ChainRow | undefined,
  { hash, rows, lane, position }: Notes,
): Write => {
  const now = clock();
  const oldest = dateOf(now.getTime() - markDays * dayMs);
  const kept = Object.entries(head?.marks ?? {}).filter(([, mark]) => (mark.split("@")[1] ?? "") >= oldest);
  const set = {
    hash,
    batches: (head?.batches ?? 0) + 1,
    rows: (head?.rows ?? 0) + rows,
    at: now.toISOString(),
    marks: { ...Object.fromEntries(kept), [lane]: `${position}@${dateOf(now.getTime())}` },
  };
  return update(key, { set }, head ? { equals: { batches: head.batches } } : { exists: false });
};
