import { gunzipSync } from "node:zlib";
import { getSealedFile, unseal } from "@vitaline/aws";
import { eraseCallRow, textFiles } from "@vitaline/calls";
import type { ErasedCounts } from "@vitaline/contract";
import { keys, remove, type CallRow, type ErasureRow, type InboxRow, type Write } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { rowAt, type PlatformContext, type StoredRow } from "@vitaline/store/platform.ts";
import { refersTo, type Found } from "./found.ts";

export type Counts = Partial<ErasedCounts>;
/** Files that are deleted, then rows that are deleted in one transaction with their count: it fits into one. */
export type Batch = { files?: readonly string[]; prefix?: string; writes: readonly Write[]; counts: Counts };

/** DynamoDB takes a hundred items in a transaction; two are the erasure's own row and its audit. */
const mostWrites = 90;

type Doomed = { write: Write; counts: Counts };

const sum = (all: readonly Counts[]): Counts => {
  const total: Record<string, number> = {};
  for (const counts of all) for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  return total;
};

/** As few batches as the rows fit into. */
export function* inBatches(doomed: readonly Doomed[]): Generator<Batch> {
  for (let from = 0; from < doomed.length; from += mostWrites) {
    const some = doomed.slice(from, from + mostWrites);
    yield { writes: some.map(({ write }) => write), counts: sum(some.map(({ counts }) => counts)) };
  }
}

export const goneRow = (row: { pk: string; sk: string }, counts: Counts = { others: 1 }): Doomed => ({ write: remove(rowAt(row)), counts });

const filesOf = (row: StoredRow): number => textFiles.filter((name) => row[name] !== undefined).length;

/** A call's partition and files. `leaves`: its row stays without content, for late events and for the totals. */
export async function* batchesOfCall(
  ctx: PlatformContext,
  { tenantId, id }: Pick<ErasureRow, "tenantId" | "id">,
  callKey: string,
  leaves: boolean,
): AsyncGenerator<Batch> {
  yield { prefix: `calls/${tenantId}/${callKey}/`, writes: [], counts: {} };
  const at = ctx.clock().toISOString();
  for await (const rows of ctx.platform.stored(tenantPartitions.callRuns(tenantId, callKey))) {
    const doomed = rows.flatMap((row): Doomed[] => {
      if (row.sk.startsWith("RUN#")) return [goneRow(row, { toolRuns: 1 })];
      if (row.sk !== "CALL") return [goneRow(row)];
      if (!leaves) return [goneRow(row, row["erasedAt"] ? { others: 1 } : { calls: 1, files: filesOf(row) })];
      const write = eraseCallRow(row as { version?: number }, { id, tenantId, callKey, at });
      return row["erasedAt"] ? [] : [{ write, counts: { calls: 1, files: filesOf(row) } }];
    });
    yield* inBatches(doomed);
  }
}

/** All that calls and a patient have left outside the calls' own partitions, then the calls. */
export async function* batchesOfSubject(ctx: PlatformContext, row: ErasureRow, found: Found): AsyncGenerator<Batch> {
  const { tenantId } = row;
  const lists: [partition: string, counts: Counts][] = [
    [tenantPartitions.leads(tenantId), { leads: 1 }],
    [tenantPartitions.tasks(tenantId), { tasks: 1 }],
    [tenantPartitions.messages(tenantId), { messages: 1 }],
    [tenantPartitions.deliveries(tenantId), { others: 1 }],
  ];
  for (const [partition, counts] of lists)
    for await (const rows of ctx.platform.stored(partition)) {
      const doomed: Doomed[] = [];
      for (const stored of rows) if (await refersTo(found, tenantId, stored)) doomed.push(goneRow(stored, counts));
      yield* inBatches(doomed);
    }
  // What waits to be sent belongs to a visit that stands; with the patient it goes, too.
  if (found.patient) yield* batchesOfWaiting(ctx, partitions.outgoing, (waiting) => found.calls.has(String(waiting["callKey"])), tenantId);
  yield* batchesOfKeptEvents(ctx, tenantId, await platformIdsOf(ctx, tenantId, found.calls));
  for (const callKey of found.calls) {
    const live = await ctx.platform.inTenant(tenantId).get(keys.liveCall(callKey));
    if (live) yield* inBatches([goneRow({ pk: tenantPartitions.live(tenantId), sk: callKey })]);
    yield* batchesOfCall(ctx, row, callKey, true);
  }
}

const shards = ["0", "1", "2", "3"];

/** Rows of a tenant among those of all that wait for their time. */
export async function* batchesOfWaiting(
  { platform }: PlatformContext,
  partitionOf: (shard: string) => string,
  isMeant: (row: StoredRow) => boolean,
  tenantId: string,
): AsyncGenerator<Batch> {
  for (const shard of shards)
    for await (const rows of platform.stored(partitionOf(shard)))
      yield* inBatches(rows.filter((row) => row["tenantId"] === tenantId && isMeant(row)).map((row) => goneRow(row)));
}

const platformIdsOf = async ({ platform }: PlatformContext, tenantId: string, calls: ReadonlySet<string>): Promise<string[]> => {
  const ids: string[] = [];
  for (const callKey of calls) {
    const call = await platform.inTenant(tenantId).get<CallRow>(keys.call(callKey));
    if (call?.platformCallId) ids.push(call.platformCallId);
  }
  return ids;
};

/** Kept events that name one of the calls as its platform does. */
async function* batchesOfKeptEvents(ctx: PlatformContext, tenantId: string, platformCallIds: readonly string[]): AsyncGenerator<Batch> {
  if (platformCallIds.length === 0) return;
  for await (const rows of ctx.platform.stored(tenantPartitions.inbox(tenantId)))
    for (const row of rows) {
      const body = await bodyOf(tenantId, row as unknown as InboxRow);
      if (!platformCallIds.some((id) => body.includes(id))) continue;
      const { file } = row as unknown as InboxRow;
      yield { ...(file ? { files: [file.key] } : {}), ...batchOfKept(row) };
    }
}

export const batchOfKept = (row: StoredRow): Batch => ({
  writes: [remove(rowAt(row)), remove(rowAt({ pk: partitions.keptEvents, sk: row.sk }))],
  counts: { others: 1 },
});

const bodyOf = async (tenantId: string, { body = "", sealed, file }: InboxRow): Promise<string> => {
  if (file) return getSealedFile("phi", tenantId, file);
  if (sealed === undefined) return body;
  return gunzipSync(Buffer.from(await unseal("phi", tenantId, sealed), "base64")).toString("utf8");
};
