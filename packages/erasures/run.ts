import { randomUUID } from "node:crypto";
import { deleteFile, deleteFiles } from "@vitaline/aws";
import { dueErasure } from "@vitaline/calls";
import { backupDays, erasureExportDays, type ErasedCounts } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import {
  check,
  keys,
  put,
  remove,
  update,
  type CallRow,
  type ErasureRow,
  type ErasureRunRow,
  type TenantRow,
  type Write,
} from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { batchesOfSubject, type Batch, type Counts, type Doomed } from "./batches.ts";
import { certify, digestOf } from "./certificate.ts";
import { writeCopy } from "./copy.ts";
import { findErased, findSubject, type Found } from "./subject.ts";
import { auditOf, logOf, subjectKey } from "./audit-entry.ts";
import { batchesOfTenant } from "./tenant-batches.ts";

const dayMs = 86_400_000;
const leaseMs = 120_000;
const beatMs = 20_000;
/** What is left of an invocation for the end of it. */
const neededMs = 60_000;
/** Until the table's stream has told what was written before the tenant's last key was gone. */
const settleMs = 60_000;
/** Records of the table's stream last a day: after that nothing late can come of it. */
const lastLookMs = 25 * 3_600_000;
/** A call that is going on is erased when it is over. */
const againMs = 600_000;
const longestCallMs = 6 * 3_600_000;
/** DynamoDB takes a hundred items in a transaction; two are the erasure's own row and its audit. */
const mostWrites = 90;

const nothing: ErasedCounts = { calls: 0, toolRuns: 0, files: 0, leads: 0, tasks: 0, messages: 0, users: 0, others: 0 };

class Superseded extends Error {}
/** It goes on then. */
class Later extends Error {
  readonly afterMs: number;
  constructor(afterMs: number) {
    super("An erasure goes on later");
    this.afterMs = afterMs;
  }
}

/**
 * Takes an erasure as far as it goes now. Once it is approved or due it writes the copy, erases until a whole look finds nothing, and
 * certifies that. Repeated after a crash it goes on; of two runs at once the second does nothing. Of one that is done, it erases what a
 * late event of its calls has brought since, and nothing else.
 */
export async function runErasure(given: PlatformContext, id: string): Promise<void> {
  const beat = await begin(given, id);
  if (!beat) return;
  const ctx = { ...given, platform: beating(given.platform, beat) };
  try {
    const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
    if (row) await advance(ctx, row, beat);
  } catch (error) {
    if (error instanceof Superseded) return ctx.log("warn", "erasure.superseded");
    if (!(error instanceof Later)) throw error;
    const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
    const dueAt = new Date(ctx.clock().getTime() + error.afterMs).toISOString();
    if (row) await ctx.platform.inTenant(row.tenantId).note(dueErasure(row.tenantId, id, dueAt));
  } finally {
    await beat("end");
  }
}

/** The same rows; whatever is listed, the run says meanwhile that it goes on. */
const beating = (platform: PlatformContext["platform"], beat: Beat): PlatformContext["platform"] => ({
  ...platform,
  async *stored(partition, index) {
    for await (const rows of platform.stored(partition, index)) {
      await beat();
      yield rows;
    }
  },
});

type Beat = (end?: "end") => Promise<void>;

/** Takes the erasure for this run; undefined while another one is at it. */
async function begin(ctx: PlatformContext, id: string): Promise<Beat | undefined> {
  const runId = randomUUID();
  const key = keys.erasureRun(id);
  const until = (nowMs: number, ms: number) => ({ untilMs: nowMs + ms, expiresAt: Math.ceil((nowMs + dayMs) / 1000) });
  const nowMs = ctx.clock().getTime();
  const row: ErasureRunRow = { runId, ...until(nowMs, leaseMs) };
  if (!(await ctx.platform.note(put(key, row, { lessThanOrAbsent: { untilMs: nowMs } })))) return undefined;
  let lastMs = nowMs;
  return async (end) => {
    const atMs = ctx.clock().getTime();
    if (!end && ctx.deadline.remainingMs() < neededMs / 2) throw new Later(0);
    if (!end && atMs - lastMs < beatMs) return;
    lastMs = atMs;
    const set = until(atMs, end ? 0 : leaseMs);
    const noted = await ctx.platform.note(update<ErasureRunRow>(key, { set }, { equals: { runId } }));
    if (!noted && !end) throw new Superseded();
  };
}

async function advance(ctx: PlatformContext, row: ErasureRow, beat: Beat): Promise<void> {
  switch (row.status) {
    case "cancelled":
      return;
    case "waiting":
      if (row.startsAt > ctx.clock().toISOString()) return;
      return advance(ctx, await started(ctx, row), beat);
    case "exporting":
      return advance(ctx, await copied(ctx, row), beat);
    case "erasing":
      return erase(ctx, row, beat);
    case "done":
      await pass(ctx, row, beat);
  }
}

type Step = {
  detail?: Record<string, string | number>;
  writes?: Write[];
  /** Whose log tells of it; that of the row after the step unless told. */
  log?: PlatformContext["platform"];
  remove?: (keyof ErasureRow)[];
};

/** Writes the row after one step; where it was changed meanwhile, this run is over. */
async function step(ctx: PlatformContext, row: ErasureRow, verb: string, set: Partial<ErasureRow>, more: Step = {}): Promise<ErasureRow> {
  const after: ErasureRow = { ...row, ...set, version: row.version + 1 };
  for (const name of more.remove ?? []) delete after[name];
  const { detail = {}, writes = [], log = logOf(ctx, after), remove: gone } = more;
  const change = update<ErasureRow>(
    keys.erasure(row.id),
    { set: { ...set, version: after.version }, ...(gone ? { remove: gone } : {}) },
    { equals: { version: row.version } },
  );
  try {
    await log.commit([change, ...writes], auditOf(after, verb, detail));
  } catch (error) {
    throw isAppError(error, "stale_version") ? new Superseded() : error;
  }
  return after;
}

/** From now on the tenant cannot be changed. One that was switched on again meanwhile is not erased, nor is what a tenant took along. */
async function started(ctx: PlatformContext, row: ErasureRow): Promise<ErasureRow> {
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
  const begun = { status: "exporting", startedAt: ctx.clock().toISOString(), erased: nothing } as const;
  if (row.kind !== "tenant") return step(ctx, row, "begin", begun);
  const mark = update<TenantRow>(keys.tenantConfig(), { set: { erasureId: row.id } }, { equals: { isActive: false } });
  return step(ctx, row, "begin", begun, { writes: [mark], log });
}

/** One file of the copy; the erasing begins when the last one is there. */
async function copied(ctx: PlatformContext, row: ErasureRow): Promise<ErasureRow> {
  const { file, next } = await writeCopy(ctx, row, () => ctx.deadline.remainingMs() > neededMs);
  const expiresAt = new Date(ctx.clock().getTime() + erasureExportDays * dayMs).toISOString();
  const files = [...(row.copy?.files ?? []), ...(file.lines > 0 ? [file] : [])];
  const copy = { files, expiresAt };
  const detail = { lines: file.lines, bytes: file.bytes, sha256: file.sha256 };
  const after = next
    ? await step(ctx, row, "writeCopy", { copy, copying: next }, { detail })
    : await step(ctx, row, "writeCopy", { copy, status: "erasing" }, { detail, ...(row.copying ? { remove: ["copying"] } : {}) });
  if (next && ctx.deadline.remainingMs() <= neededMs) throw new Later(0);
  return after;
}

async function erase(ctx: PlatformContext, begun: ErasureRow, beat: Beat): Promise<void> {
  let row = begun;
  for (let found = 1; found > 0;) {
    ({ row, found } = await pass(ctx, row, beat));
    if (found > 0 && row.kind === "tenant") await ctx.pause(settleMs);
  }
  const now = ctx.clock();
  const facts: Partial<ErasureRow> = {
    status: "done",
    finishedAt: now.toISOString(),
    backupsGoneAt: new Date(now.getTime() + backupDays * dayMs).toISOString(),
  };
  const certificate = await certify({ ...row, ...facts });
  await step(
    ctx,
    row,
    "done",
    { ...facts, certificate },
    { detail: { ...row.erased, certificate: digestOf(certificate) }, writes: [remove(subjectKey(row))] },
  );
  const lastLook = new Date(now.getTime() + lastLookMs).toISOString();
  await ctx.platform.inTenant(row.tenantId).note(dueErasure(row.tenantId, row.id, lastLook));
}

/** Erases all that is found now: how many rows and files that were, and the erasure's row with their counts. */
async function pass(ctx: PlatformContext, begun: ErasureRow, beat: Beat): Promise<{ row: ErasureRow; found: number }> {
  const batches = begun.kind === "tenant" ? batchesOfTenant(ctx, begun) : batchesOfSubject(ctx, begun, await subjectOf(ctx, begun));
  let [row, found] = [begun, 0];
  /** By address, as a transaction takes each row once. */
  let gathered = new Map<string, Doomed>();
  const destroyGathered = async (): Promise<void> => {
    if (gathered.size === 0) return;
    const doomed = [...gathered.values()];
    gathered = new Map();
    const size = sizeOf(plus(doomed));
    found += size;
    if (size > 0 || row.status !== "done") row = await destroy(ctx, row, doomed);
  };
  for await (const batch of batches) {
    await beat();
    found += await deletedFiles(batch);
    for (const one of batch.rows) {
      const { key } = one.write;
      gathered.set(JSON.stringify(key.scope === "platform" ? key.at : key.at(row.tenantId)), one);
      if (gathered.size === mostWrites) await destroyGathered();
    }
    if (batch.settle) await destroyGathered();
  }
  await destroyGathered();
  return { row, found };
}

/** What is to be erased; put off while one of the calls is going on. */
async function subjectOf(ctx: PlatformContext, row: ErasureRow): Promise<Found> {
  if (row.status === "done") return findErased(ctx, row);
  const found = await findSubject(ctx, row);
  const since = ctx.clock().getTime() - longestCallMs;
  for (const callKey of found.calls) {
    const call = await ctx.platform.inTenant(row.tenantId).get<CallRow>(keys.call(callKey));
    if (call && call.countedAt === undefined && Date.parse(call.startedAt) > since) throw new Later(againMs);
  }
  return found;
}

const plus = (doomed: readonly Pick<Doomed, "counts">[]): Counts => {
  const total: Counts = {};
  for (const { counts } of doomed)
    for (const name of Object.keys(counts) as (keyof ErasedCounts)[]) total[name] = (total[name] ?? 0) + (counts[name] ?? 0);
  return total;
};
const sizeOf = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0);

async function deletedFiles({ files = [], prefix }: Batch): Promise<number> {
  for (const file of files) await deleteFile(file);
  return files.length + (prefix ? await deleteFiles(prefix) : 0);
}

/** Rows, their count and the audit of it in one transaction, so that the certificate counts each once. */
async function destroy(ctx: PlatformContext, row: ErasureRow, doomed: readonly Doomed[]): Promise<ErasureRow> {
  const writes = doomed.map(({ write }) => write);
  const counts = plus(doomed);
  const isDone = row.status === "done";
  const set = { erased: { ...nothing, ...plus([{ counts: row.erased ?? {} }, { counts }]) }, version: row.version + 1 };
  const own = isDone
    ? check(keys.erasure(row.id), { equals: { version: row.version } })
    : update<ErasureRow>(keys.erasure(row.id), { set }, { equals: { version: row.version } });
  try {
    await logOf(ctx, row).commit([...writes, own], auditOf(row, isDone ? "eraseAgain" : "erase", { ...counts, rows: writes.length }));
  } catch (error) {
    if (!isAppError(error, "stale_version")) throw error;
    const now = await ctx.platform.get<ErasureRow>(keys.erasure(row.id));
    if (now?.version !== row.version) throw new Superseded();
    // A row went by itself meanwhile: the next look does not see it
    return row;
  }
  return isDone ? row : { ...row, ...set };
}
