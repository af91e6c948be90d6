import { randomUUID } from "node:crypto";
import { deleteFile, deleteFiles } from "@vitaline/aws";
import { dueErasure } from "@vitaline/calls";
import { backupDays, erasureExportDays, type ErasedCounts } from "@vitaline/contract";
import { isAppError, dayMs } from "@vitaline/core";
import {
  check,
  keys,
  remove,
  update,
  type CallRow,
  type ErasureRow,
  type ErasureRunRow,
  type TenantRow,
  type Write,
} from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { subjectBatches, type Batch, type Counts, type RowErasure } from "./batches.ts";
import { signCertificate, certificateDigest } from "./certificate.ts";
import { writeCopy } from "./copy.ts";
import { findErasedCalls, findReferences, type References } from "./subject.ts";
import { auditOf, auditLogOf, subjectKey } from "./audit-entry.ts";
import { tenantBatches } from "./tenant-batches.ts";

const leaseMs = 120_000;
const heartbeatMs = 20_000;
const neededMs = 60_000;
/** Until the table's stream has delivered writes made before the tenant's last key was deleted. */
const settleMs = 60_000;
/** Stream records are kept for a day, so no later writes can follow. */
const lastPassMs = 25 * 3_600_000;
const retryMs = 600_000;
const longestCallMs = 6 * 3_600_000;
/** A DynamoDB transaction has at most 100 items, including the erasure's own row and its audit row. */
const maxWrites = 90;

export const noCounts: ErasedCounts = { calls: 0, toolRuns: 0, files: 0, leads: 0, tasks: 0, messages: 0, users: 0, others: 0 };

class SupersededError extends Error {}
/** Ends this run; the erasure continues after that time. */
class PostponedError extends Error {
  readonly afterMs: number;
  constructor(afterMs: number) {
    super("The erasure continues later");
    this.afterMs = afterMs;
  }
}

/**
 * Continues an erasure as far as possible. Once it is approved or due: writes the copy, erases until a complete pass finds nothing, and
 * signs the certificate. Resumes after a crash; of two concurrent runs the second does nothing. For a finished erasure, it erases only
 * data that late events have added to its calls.
 */
export async function runErasure(given: PlatformContext, id: string): Promise<void> {
  const heartbeat = await acquireLease(given, id);
  if (!heartbeat) return;
  const ctx = { ...given, platform: withHeartbeat(given.platform, heartbeat) };
  let ending: Ending = {};
  try {
    const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
    if (row) await advance(ctx, row, heartbeat);
    ending = { isOver: true };
  } catch (error) {
    if (error instanceof SupersededError) return ctx.log("warn", "erasure.superseded");
    if (!(error instanceof PostponedError)) throw error;
    const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
    const dueAt = new Date(ctx.clock().getTime() + error.afterMs).toISOString();
    if (!row) return;
    await ctx.platform.inTenant(row.tenantId).writeUnaudited(dueErasure(row.tenantId, id, dueAt));
    ending = { continuesAt: dueAt };
  } finally {
    await heartbeat(ending);
  }
}

const withHeartbeat = (platform: PlatformContext["platform"], heartbeat: Heartbeat): PlatformContext["platform"] => ({
  ...platform,
  async *stored(partition, index) {
    for await (const rows of platform.stored(partition, index)) {
      await heartbeat();
      yield rows;
    }
  },
});

/** `isOver`: what was searched is not needed again. */
type Ending = { continuesAt?: string; isOver?: true };
type Heartbeat = (end?: Ending) => Promise<void>;

/** Acquires the lease; undefined while another run has it. */
async function acquireLease(ctx: PlatformContext, id: string): Promise<Heartbeat | undefined> {
  const runId = randomUUID();
  const key = keys.erasureRun(id);
  const until = (nowMs: number, ms: number) => ({ untilMs: nowMs + ms, expiresAt: Math.ceil((nowMs + dayMs) / 1000) });
  const nowMs = ctx.clock().getTime();
  const row: ErasureRunRow = { runId, ...until(nowMs, leaseMs) };
  // An update keeps what earlier runs have searched.
  const taken = update<ErasureRunRow>(key, { set: row, remove: ["continuesAt"] }, { lessThanOrAbsent: { untilMs: nowMs } });
  if (!(await ctx.platform.writeUnaudited(taken))) return undefined;
  let lastMs = nowMs;
  return async (end) => {
    const atMs = ctx.clock().getTime();
    if (!end && ctx.deadline.remainingMs() < neededMs / 2) throw new PostponedError(0);
    if (!end && atMs - lastMs < heartbeatMs) return;
    lastMs = atMs;
    const set: Partial<ErasureRunRow> = { ...until(atMs, end ? 0 : leaseMs), ...(end?.continuesAt && { continuesAt: end.continuesAt }) };
    const change = { set, ...(end?.isOver && { remove: ["searched" as const] }) };
    const updated = await ctx.platform.writeUnaudited(update<ErasureRunRow>(key, change, { equals: { runId } }));
    if (!updated && !end) throw new SupersededError();
  };
}

async function advance(ctx: PlatformContext, row: ErasureRow, heartbeat: Heartbeat): Promise<void> {
  switch (row.status) {
    case "cancelled":
      return;
    case "waiting":
      if (row.startsAt > ctx.clock().toISOString()) return;
      return advance(ctx, await startErasing(ctx, row), heartbeat);
    case "exporting":
      return advance(ctx, await writeNextCopy(ctx, row), heartbeat);
    case "erasing":
      return erase(ctx, row, heartbeat);
    case "done":
      await erasePass(ctx, row, heartbeat);
  }
}

type StepOptions = {
  detail?: Record<string, string | number>;
  writes?: Write[];
  /** Default: the log of the row after the step. */
  log?: PlatformContext["platform"];
  remove?: (keyof ErasureRow)[];
};

/** Writes the row after a step. Throws SupersededError if it has changed since it was read. */
async function step(
  ctx: PlatformContext,
  row: ErasureRow,
  verb: string,
  set: Partial<ErasureRow>,
  more: StepOptions = {},
): Promise<ErasureRow> {
  const after: ErasureRow = { ...row, ...set, version: row.version + 1 };
  for (const name of more.remove ?? []) delete after[name];
  const { detail = {}, writes = [], log = auditLogOf(ctx, after), remove: removedFields } = more;
  const change = update<ErasureRow>(
    keys.erasure(row.id),
    { set: { ...set, version: after.version }, ...(removedFields ? { remove: removedFields } : {}) },
    { equals: { version: row.version } },
  );
  try {
    await log.commit([change, ...writes], auditOf(after, verb, detail));
  } catch (error) {
    throw isAppError(error, "stale_version") ? new SupersededError() : error;
  }
  return after;
}

/** Locks the tenant. Cancels the erasure if the tenant is active again or already erased. */
async function startErasing(ctx: PlatformContext, row: ErasureRow): Promise<ErasureRow> {
  const log = ctx.platform.inTenant(row.tenantId);
  const tenant = await log.get<TenantRow>(keys.tenantConfig());
  if (!tenant || (row.kind === "tenant" && tenant.isActive))
    return step(
      ctx,
      row,
      "cancel",
      { status: "cancelled", finishedAt: ctx.clock().toISOString() },
      { writes: [remove(subjectKey(row))], log: tenant ? log : ctx.platform },
    );
  const start = { status: "exporting", startedAt: ctx.clock().toISOString(), erased: noCounts } as const;
  if (row.kind !== "tenant") return step(ctx, row, "begin", start);
  const mark = update<TenantRow>(keys.tenantConfig(), { set: { erasureId: row.id } }, { equals: { isActive: false } });
  return step(ctx, row, "begin", start, { writes: [mark], log });
}

async function writeNextCopy(ctx: PlatformContext, row: ErasureRow): Promise<ErasureRow> {
  const { file, next } = await writeCopy(ctx, row, () => ctx.deadline.remainingMs() > neededMs);
  const expiresAt = new Date(ctx.clock().getTime() + erasureExportDays * dayMs).toISOString();
  const files = [...(row.copy?.files ?? []), ...(file.lines > 0 ? [file] : [])];
  const copy = { files, expiresAt };
  const detail = { lines: file.lines, bytes: file.bytes, sha256: file.sha256 };
  const after = next
    ? await step(ctx, row, "writeCopy", { copy, copying: next }, { detail })
    : await step(ctx, row, "writeCopy", { copy, status: "erasing" }, { detail, ...(row.copying ? { remove: ["copying"] } : {}) });
  if (next && ctx.deadline.remainingMs() <= neededMs) throw new PostponedError(0);
  return after;
}

async function erase(ctx: PlatformContext, begun: ErasureRow, heartbeat: Heartbeat): Promise<void> {
  let row = begun;
  for (let found = 1; found > 0;) {
    ({ row, found } = await erasePass(ctx, row, heartbeat));
    if (found > 0 && row.kind === "tenant") await ctx.pause(settleMs);
  }
  const now = ctx.clock();
  const facts: Partial<ErasureRow> = {
    status: "done",
    finishedAt: now.toISOString(),
    backupsGoneAt: new Date(now.getTime() + backupDays * dayMs).toISOString(),
  };
  const certificate = await signCertificate({ ...row, ...facts });
  await step(
    ctx,
    row,
    "done",
    { ...facts, certificate },
    { detail: { ...row.erased, certificate: certificateDigest(certificate) }, writes: [remove(subjectKey(row))] },
  );
  const lastPass = new Date(now.getTime() + lastPassMs).toISOString();
  await ctx.platform.inTenant(row.tenantId).writeUnaudited(dueErasure(row.tenantId, row.id, lastPass));
}

/** Erases everything found in one pass; `found` is the number of rows and files. */
async function erasePass(ctx: PlatformContext, begun: ErasureRow, heartbeat: Heartbeat): Promise<{ row: ErasureRow; found: number }> {
  const batches = begun.kind === "tenant" ? tenantBatches(ctx, begun) : subjectBatches(ctx, begun, await readReferences(ctx, begun));
  let [row, found] = [begun, 0];
  /** By key, as a transaction may contain each row only once. */
  let pending = new Map<string, RowErasure>();
  const erasePending = async (): Promise<void> => {
    if (pending.size === 0) return;
    const rowErasures = [...pending.values()];
    pending = new Map();
    const size = totalOf(sumCounts(rowErasures));
    found += size;
    if (size > 0 || row.status !== "done") row = await eraseRows(ctx, row, rowErasures);
  };
  for await (const batch of batches) {
    await heartbeat();
    found += await deleteBatchFiles(batch);
    for (const one of batch.rows) {
      const { key } = one.write;
      pending.set(JSON.stringify(key.scope === "tenant" ? key.primaryKeyIn(row.tenantId) : key.primaryKey), one);
      if (pending.size === maxWrites) await erasePending();
    }
    if (batch.settle) await erasePending();
  }
  await erasePending();
  return { row, found };
}

/** Throws PostponedError while one of the calls is in progress. */
async function readReferences(ctx: PlatformContext, row: ErasureRow): Promise<References> {
  if (row.status === "done") return findErasedCalls(ctx, row);
  const found = await findReferences(ctx, row);
  const since = ctx.clock().getTime() - longestCallMs;
  for (const callKey of found.calls) {
    const call = await ctx.platform.inTenant(row.tenantId).get<CallRow>(keys.call(callKey));
    if (call && call.endSeenAt === undefined && Date.parse(call.startedAt) > since) throw new PostponedError(retryMs);
  }
  return found;
}

const sumCounts = (rowErasures: readonly Pick<RowErasure, "counts">[]): Counts => {
  const total: Counts = {};
  for (const { counts } of rowErasures)
    for (const name of Object.keys(counts) as (keyof ErasedCounts)[]) total[name] = (total[name] ?? 0) + (counts[name] ?? 0);
  return total;
};
const totalOf = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0);

async function deleteBatchFiles({ files = [], prefix }: Batch): Promise<number> {
  for (const file of files) await deleteFile(file);
  return files.length + (prefix ? await deleteFiles(prefix) : 0);
}

/** Erases rows, adds their counts and audits that in one transaction, so that each row is counted once. */
async function eraseRows(ctx: PlatformContext, row: ErasureRow, rowErasures: readonly RowErasure[]): Promise<ErasureRow> {
  const writes = rowErasures.map(({ write }) => write);
  const counts = sumCounts(rowErasures);
  const isDone = row.status === "done";
  const set = { erased: { ...noCounts, ...sumCounts([{ counts: row.erased ?? {} }, { counts }]) }, version: row.version + 1 };
  const own = isDone
    ? check(keys.erasure(row.id), { equals: { version: row.version } })
    : update<ErasureRow>(keys.erasure(row.id), { set }, { equals: { version: row.version } });
  try {
    await auditLogOf(ctx, row).commit([...writes, own], auditOf(row, isDone ? "eraseAgain" : "erase", { ...counts, rows: writes.length }));
  } catch (error) {
    if (!isAppError(error, "stale_version")) throw error;
    const now = await ctx.platform.get<ErasureRow>(keys.erasure(row.id));
    if (now?.version !== row.version) throw new SupersededError();
    // One of the rows has expired in the meantime; the next pass does not find it.
    return row;
  }
  return isDone ? row : { ...row, ...set };
}
