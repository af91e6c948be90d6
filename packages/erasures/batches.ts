import { eraseCallRow, contentFiles, hasContent } from "@vitaline/calls";
import type { ErasedCounts } from "@vitaline/contract";
import {
  keys,
  remove,
  type CallRow,
  type ErasureRow,
  type KeptEventContentRow,
  type ProxiesOfPatientRow,
  type Write,
  shards,
  toDoIdOfCall,
} from "@vitaline/store";
import { partitions, tenantPartitions } from "@vitaline/store/keys.ts";
import { rowAt, type PlatformContext, type StoredRow } from "@vitaline/store/platform.ts";
import { refersTo, type References } from "./subject.ts";

export type Counts = Partial<ErasedCounts>;
export type RowErasure = { write: Write; counts: Counts };
/** Files are deleted before rows. `settle`: all earlier rows must be deleted before the next batch is read. */
export type Batch = { files?: readonly string[]; prefix?: string; rows: readonly RowErasure[]; settle?: true };

export const deletedRow = (row: { pk: string; sk: string }, counts: Counts = { others: 1 }): RowErasure => ({
  write: remove(rowAt(row)),
  counts,
});

/** What staff noted about a lead or a task. */
const deletedToDo = (tenantId: string, { id }: StoredRow): RowErasure => deletedRow(keys.toDo(String(id)).primaryKeyIn(tenantId), {});

const isExpired = (row: StoredRow, now: Date): boolean => typeof row["expiresAt"] === "number" && row["expiresAt"] * 1000 <= now.getTime();

/** A call's partition and files. `keepsRow`: the row stays without content, for late events and for totals. */
export async function* callBatches(
  ctx: PlatformContext,
  { tenantId, id }: Pick<ErasureRow, "tenantId" | "id">,
  callKey: string,
  keepsRow: boolean,
): AsyncGenerator<Batch> {
  yield { prefix: `calls/${tenantId}/${callKey}/`, rows: [] };
  const now = ctx.clock();
  const eraseCall = (row: StoredRow): RowErasure[] => [
    ...eraseCallItself(row),
    deletedRow(keys.toDo(toDoIdOfCall(row as unknown as CallRow)).primaryKeyIn(tenantId), {}),
  ];
  const eraseCallItself = (row: StoredRow): RowErasure[] => {
    const counts = row["erasedAt"] ? { others: 1 } : { calls: 1, files: contentFiles(row as unknown as CallRow).length };
    const found = foundByNumber(tenantId, row as unknown as CallRow);
    if (!keepsRow || isExpired(row, now)) return [...found, deletedRow(row, counts)];
    if (row["erasedAt"] && !hasContent(row)) return [];
    return [...found, { write: eraseCallRow(row as Partial<CallRow>, { id, tenantId, callKey, at: now.toISOString() }), counts }];
  };
  const last: RowErasure[] = [];
  for await (const rows of ctx.platform.stored(tenantPartitions.callItems(tenantId, callKey))) {
    const erasures: RowErasure[] = [];
    for (const row of rows) {
      // A row that is deleted goes last: without it, a run that continues after a crash would not find the others.
      if (row.sk === "CALL") (keepsRow ? erasures : last).push(...eraseCall(row));
      else erasures.push(deletedRow(row, row.sk.startsWith("RUN#") ? { toolRuns: 1 } : undefined));
    }
    yield { rows: erasures };
  }
  yield { rows: last };
}

/** The row that finds the call by its number, whose address only the call's row tells. */
const foundByNumber = (tenantId: string, { numberHash, startedAt, callKey }: CallRow): RowErasure[] =>
  numberHash === undefined ? [] : [deletedRow(keys.callOfNumber(numberHash, startedAt, callKey).primaryKeyIn(tenantId), {})];

export async function* subjectBatches(ctx: PlatformContext, row: ErasureRow, found: References): AsyncGenerator<Batch> {
  const { tenantId } = row;
  const lists: [partition: string, counts: Counts][] = [
    // A task tells whom the event of its change is about.
    [tenantPartitions.deliveries(tenantId), { others: 1 }],
    [tenantPartitions.leads(tenantId), { leads: 1 }],
    [tenantPartitions.tasks(tenantId), { tasks: 1 }],
    [tenantPartitions.messages(tenantId), { messages: 1 }],
  ];
  for (const [partition, counts] of lists)
    for await (const rows of ctx.platform.stored(partition)) {
      const rowErasures: RowErasure[] = [];
      for (const stored of rows)
        if (await refersTo(ctx, found, tenantId, stored))
          rowErasures.push(deletedRow(stored, counts), ...(counts.leads || counts.tasks ? [deletedToDo(tenantId, stored)] : []));
      yield { rows: rowErasures };
    }
  if (found.proxyIds.size + found.charts.size > 0) yield* proxyBatches(ctx, found, tenantId);
  // Queued messages belong to a visit that still takes place; only the erasure of a patient deletes them.
  if (found.patient) yield* queuedBatches(ctx, shards.map(partitions.outgoing), (queued) => isQueuedFor(found, queued), tenantId);
  yield* keptEventBatches(ctx, tenantId, found.calls);
  for (const callKey of found.calls) {
    const live = await ctx.platform.inTenant(tenantId).get(keys.liveCall(callKey));
    if (live) yield { rows: [deletedRow({ pk: tenantPartitions.live(tenantId), sk: callKey })] };
    yield* callBatches(ctx, row, callKey, true);
  }
}

/** Approvals, after the lists that hold no other: a run that ends between them finds the lists again. */
async function* proxyBatches(ctx: PlatformContext, found: References, tenantId: string): AsyncGenerator<Batch> {
  const approvals: StoredRow[] = [];
  for await (const rows of ctx.platform.stored(tenantPartitions.proxies(tenantId)))
    for (const row of rows) if (await refersTo(ctx, found, tenantId, row)) approvals.push(row);
  const erased = new Set([...found.proxyIds, ...approvals.map(({ id }) => String(id))]);
  for await (const lists of ctx.platform.stored(tenantPartitions.proxiesOfPatients(tenantId))) {
    const rows: RowErasure[] = [];
    for (const list of lists) {
      const { ids } = list as unknown as ProxiesOfPatientRow;
      const others = [...ids].filter((id) => !erased.has(id));
      if (others.length === ids.size) continue;
      const left = others.length === 0 ? [] : await ctx.platform.inTenant(tenantId).batchGet(others.map((id) => keys.proxy(id)));
      // An approval may have been added since.
      if (left.every((one) => one === undefined)) rows.push({ write: remove(rowAt(list), { equals: { ids } }), counts: { others: 1 } });
    }
    yield { rows };
  }
  yield { rows: approvals.map((row) => deletedRow(row)) };
}

const isQueuedFor = ({ messageIds, appointmentIds, patient }: References, { messageId, appointmentId, providerId }: StoredRow): boolean =>
  messageIds.has(String(messageId)) || (appointmentIds.has(String(appointmentId)) && providerId === patient?.fhirProviderId);

export async function* queuedBatches(
  { platform }: PlatformContext,
  queues: readonly string[],
  matches: (row: StoredRow) => boolean,
  tenantId: string,
): AsyncGenerator<Batch> {
  for (const queue of queues)
    for await (const rows of platform.stored(queue))
      yield { rows: rows.filter((row) => row["tenantId"] === tenantId && matches(row)).map((row) => deletedRow(row)) };
}

/** Kept events of these calls. Platform events contain the call key in their body; the projection's name it in the row. */
async function* keptEventBatches({ platform }: PlatformContext, tenantId: string, calls: ReadonlySet<string>): AsyncGenerator<Batch> {
  for await (const rows of platform.stored(tenantPartitions.keptEventContent(tenantId)))
    for (const row of rows) {
      const { callKey, body = "" } = row as unknown as KeptEventContentRow;
      const matches = callKey === undefined ? [...calls].some((call) => body.includes(call)) : calls.has(callKey);
      if (matches) yield keptEventBatch(row);
    }
}

export const keptEventBatch = (row: StoredRow): Batch => {
  const { file } = row as unknown as KeptEventContentRow;
  return { ...(file ? { files: [file.key] } : {}), rows: [deletedRow(row), deletedRow({ pk: partitions.keptEvents, sk: row.sk }, {})] };
};
