import { randomUUID } from "node:crypto";
import { deleteFile, deleteFiles } from "@vitaline/aws";
import { dueErasure } from "@vitaline/calls";
import { backupDays, type ErasedCounts } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import { keys, put, update, type ErasureRow, type ErasureRunRow, type TenantRow, type Write } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { batchesOfSubject, type Batch, type Counts } from "./batches.ts";
import { certify, digestOf } from "./certificate.ts";
import { writeCopy } from "./copy.ts";
import { findSubject } from "./found.ts";
import { auditOf, logOf } from "./log.ts";
import { batchesOfTenant } from "./tenant-batches.ts";

const dayMs = 86_400_000;
const leaseMs = 120_000;
const beatMs = 20_000;
/** What is left of an invocation for the end of it. */
const neededMs = 30_000;
/** Until the table's stream has told what was written before the tenant's last key was gone. */
const settleMs = 60_000;
const mostWrites = 90;

const nothing: ErasedCounts = { calls: 0, toolRuns: 0, files: 0, leads: 0, tasks: 0, messages: 0, users: 0, others: 0 };

class Superseded extends Error {}
class OutOfTime extends Error {}

/**
 * Takes an erasure as far as it goes now: writes its copy, or erases once it is time, until a whole look finds nothing, and certifies
 * that. Repeated after a crash it goes on; of two runs at once the second does nothing. Of one that is done, it erases what a late
 * event of a call has brought since.
 */
export async function runErasure(ctx: PlatformContext, id: string): Promise<void> {
  const beat = await begin(ctx, id);
  if (!beat) return;
  try {
    const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
    if (row) await advance(ctx, row, beat);
  } catch (error) {
    if (error instanceof Superseded) return ctx.log("warn", "erasure.superseded");
    if (!(error instanceof OutOfTime)) throw error;
    const row = await ctx.platform.get<ErasureRow>(keys.erasure(id));
    if (row) await ctx.platform.inTenant(row.tenantId).note(dueErasure(row.tenantId, id, ctx.clock().toISOString()));
  } finally {
    await beat("end");
  }
}

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
    if (!end && ctx.deadline.remainingMs() < neededMs) throw new OutOfTime();
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
    case "exporting":
      return advance(ctx, await copied(ctx, row, beat), beat);
    case "waiting":
      if (row.startsAt > ctx.clock().toISOString()) return;
      return erase(ctx, await started(ctx, row), beat);
    case "erasing":
      return erase(ctx, row, beat);
    case "done":
      if (row.kind !== "tenant") await pass(ctx, row, beat);
  }
}

/** Writes the row after one step; where it was changed meanwhile, the row as it is. */
async function step(
  ctx: PlatformContext,
  row: ErasureRow,
  verb: string,
  set: Partial<ErasureRow>,
  { detail = {}, writes = [] }: { detail?: Record<string, string | number>; writes?: Write[] } = {},
): Promise<ErasureRow> {
  const after: ErasureRow = { ...row, ...set, version: row.version + 1 };
  const change = update<ErasureRow>(
    keys.erasure(row.id),
    { set: { ...set, version: after.version } },
    { equals: { version: row.version } },
  );
  try {
    await logOf(ctx, after).commit([change, ...writes], auditOf(after, verb, detail));
    return after;
  } catch (error) {
    if (!isAppError(error, "stale_version")) throw error;
    return (await ctx.platform.get<ErasureRow>(keys.erasure(row.id))) ?? row;
  }
}

async function copied(ctx: PlatformContext, row: ErasureRow, beat: Beat): Promise<ErasureRow> {
  const copy = await writeCopy(ctx, row, beat);
  return step(
    ctx,
    row,
    "writeCopy",
    { status: "waiting", copy },
    {
      detail: { lines: copy.lines, bytes: copy.bytes, sha256: copy.sha256 },
      writes: [dueErasure(row.tenantId, row.id, row.startsAt)],
    },
  );
}

/** A tenant that was switched on again meanwhile is not erased. */
async function started(ctx: PlatformContext, row: ErasureRow): Promise<ErasureRow> {
  const tenant = row.kind === "tenant" ? await ctx.platform.inTenant(row.tenantId).get<TenantRow>(keys.tenantConfig()) : undefined;
  if (tenant?.isActive) return step(ctx, row, "cancel", { status: "cancelled" });
  return step(ctx, row, "begin", { status: "erasing", startedAt: ctx.clock().toISOString(), erased: nothing });
}

async function erase(ctx: PlatformContext, begun: ErasureRow, beat: Beat): Promise<void> {
  if (begun.status !== "erasing") return;
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
  await step(ctx, row, "done", { ...facts, certificate }, { detail: { ...row.erased, certificate: digestOf(certificate) } });
}

type Gathered = { writes: Write[]; counts: Counts };

/** Erases all that is found now: how many rows and files that were, and the erasure's row with their counts. */
async function pass(ctx: PlatformContext, begun: ErasureRow, beat: Beat): Promise<{ row: ErasureRow; found: number }> {
  const batches = begun.kind === "tenant" ? batchesOfTenant(ctx, begun) : batchesOfSubject(ctx, begun, await findSubject(ctx, begun));
  let [row, found] = [begun, 0];
  let gathered: Gathered = { writes: [], counts: {} };
  for await (const batch of batches) {
    await beat();
    found += await deletedFiles(batch);
    if (gathered.writes.length + batch.writes.length > mostWrites) {
      row = await destroy(ctx, row, gathered);
      gathered = { writes: [], counts: {} };
    }
    gathered.writes.push(...batch.writes);
    gathered.counts = plus(gathered.counts, batch.counts);
    found += Object.values(batch.counts).reduce((total, count) => total + count, 0);
  }
  if (gathered.writes.length > 0) row = await destroy(ctx, row, gathered);
  return { row, found };
}

const plus = (one: Counts, other: Counts): Counts => {
  const total: Counts = { ...one };
  for (const name of Object.keys(other) as (keyof ErasedCounts)[]) total[name] = (total[name] ?? 0) + (other[name] ?? 0);
  return total;
};

async function deletedFiles({ files = [], prefix }: Batch): Promise<number> {
  for (const file of files) await deleteFile(file);
  return files.length + (prefix ? await deleteFiles(prefix) : 0);
}

/** Rows, their count and the audit of it in one transaction, so that the certificate counts each once. */
async function destroy(ctx: PlatformContext, row: ErasureRow, { writes, counts }: Gathered): Promise<ErasureRow> {
  const placeOf = ({ key }: Write): string => JSON.stringify(key.scope === "platform" ? key.at : key.at(row.tenantId));
  const unique = [...new Map(writes.map((write) => [placeOf(write), write])).values()];
  if (row.status === "done") {
    await logOf(ctx, row).commit(unique, auditOf(row, "eraseAgain", { ...counts, rows: unique.length }));
    return row;
  }
  const set = { erased: { ...nothing, ...plus(row.erased ?? {}, counts) }, version: row.version + 1 };
  const count = update<ErasureRow>(keys.erasure(row.id), { set }, { equals: { version: row.version } });
  await logOf(ctx, row).commit([...unique, count], auditOf(row, "erase", { ...counts, rows: unique.length }));
  return { ...row, ...set };
}
