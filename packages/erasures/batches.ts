import { eraseCallRow, filesOf, hasContent } from "@vitaline/calls";
import type { ErasedCounts } from "@vitaline/contract";
import { keys, remove, type CallRow, type ErasureRow, type InboxRow, type Write } from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { rowAt, type PlatformContext, type StoredRow } from "@vitaline/store/platform.ts";
import { refersTo, type Found } from "./subject.ts";

export type Counts = Partial<ErasedCounts>;
/** A row that is to be deleted, or emptied, and what it counts as. */
export type Doomed = { write: Write; counts: Counts };
/** Files that are deleted first, then rows. `settle`: all before it must be deleted before more is looked for. */
export type Batch = { files?: readonly string[]; prefix?: string; rows: readonly Doomed[]; settle?: true };

export const goneRow = (row: { pk: string; sk: string }, counts: Counts = { others: 1 }): Doomed => ({ write: remove(rowAt(row)), counts });

const isOver = (row: StoredRow, now: Date): boolean => typeof row["expiresAt"] === "number" && row["expiresAt"] * 1000 <= now.getTime();

/** A call's partition and files. `leaves`: its row stays without content, for late events and for the totals. */
export async function* batchesOfCall(
  ctx: PlatformContext,
  { tenantId, id }: Pick<ErasureRow, "tenantId" | "id">,
  callKey: string,
  leaves: boolean,
): AsyncGenerator<Batch> {
  yield { prefix: `calls/${tenantId}/${callKey}/`, rows: [] };
  const now = ctx.clock();
  const ofCall = (row: StoredRow): Doomed[] => {
    const counts = row["erasedAt"] ? { others: 1 } : { calls: 1, files: filesOf(row as unknown as CallRow).length };
    if (!leaves || isOver(row, now)) return [goneRow(row, counts)];
    if (row["erasedAt"] && !hasContent(row)) return [];
    return [{ write: eraseCallRow(row as Partial<CallRow>, { id, tenantId, callKey, at: now.toISOString() }), counts }];
  };
  for await (const rows of ctx.platform.stored(tenantPartitions.callRuns(tenantId, callKey)))
    yield {
      rows: rows.flatMap((row) =>
        row.sk === "CALL" ? ofCall(row) : [goneRow(row, row.sk.startsWith("RUN#") ? { toolRuns: 1 } : undefined)],
      ),
    };
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
      for (const stored of rows) if (await refersTo(ctx, found, tenantId, stored)) doomed.push(goneRow(stored, counts));
      yield { rows: doomed };
    }
  // What waits to be sent belongs to a visit that stands; with the patient it goes, too.
  if (found.patient) yield* batchesOfWaiting(ctx, partitions.outgoing, (waiting) => waitsFor(found, waiting), tenantId);
  yield* batchesOfKeptEvents(ctx, tenantId, found.calls);
  for (const callKey of found.calls) {
    const live = await ctx.platform.inTenant(tenantId).get(keys.liveCall(callKey));
    if (live) yield { rows: [goneRow({ pk: tenantPartitions.live(tenantId), sk: callKey })] };
    yield* batchesOfCall(ctx, row, callKey, true);
  }
}

const waitsFor = ({ messageIds, appointmentIds, patient }: Found, { messageId, appointmentId, providerId }: StoredRow): boolean =>
  messageIds.has(String(messageId)) || (appointmentIds.has(String(appointmentId)) && providerId === patient?.fhirProviderId);

/** What waits for its time lies in four partitions. */
export const shards = ["0", "1", "2", "3"];

/** Rows of a tenant among those of all that wait for their time. */
export async function* batchesOfWaiting(
  { platform }: PlatformContext,
  partitionOf: (shard: string) => string,
  isMeant: (row: StoredRow) => boolean,
  tenantId: string,
): AsyncGenerator<Batch> {
  for (const shard of shards)
    for await (const rows of platform.stored(partitionOf(shard)))
      yield { rows: rows.filter((row) => row["tenantId"] === tenantId && isMeant(row)).map((row) => goneRow(row)) };
}

/** Events of these calls that could not be recorded: a platform's say which call they are about, the table's own name its row. */
async function* batchesOfKeptEvents({ platform }: PlatformContext, tenantId: string, calls: ReadonlySet<string>): AsyncGenerator<Batch> {
  for await (const rows of platform.stored(tenantPartitions.inbox(tenantId)))
    for (const row of rows) {
      const { callKey, body = "" } = row as unknown as InboxRow;
      const isMeant = callKey === undefined ? [...calls].some((call) => body.includes(call)) : calls.has(callKey);
      if (isMeant) yield batchOfKept(row);
    }
}

export const batchOfKept = (row: StoredRow): Batch => {
  const { file } = row as unknown as InboxRow;
  return { ...(file ? { files: [file.key] } : {}), rows: [goneRow(row), goneRow({ pk: partitions.keptEvents, sk: row.sk }, {})] };
};
