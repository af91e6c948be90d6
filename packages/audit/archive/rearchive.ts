import { archiveMetadata, getArchive, putArchive } from "@vitaline/aws";
import { auditCategories, type AuditRow, keys, rowsOf } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { monthsBetween } from "../log/read-log.ts";
import { BatchMetadata, moveHead, type StreamedRow } from "./archive-rows.ts";
import { batchName, readBatch, writeBatch } from "./batch.ts";
import { chainStart, openChain } from "./chain.ts";

type Row = Record<string, unknown>;

/** The stream keeps a record for a day and delivers it within seconds, so it cannot deliver an older row any more. */
const streamMs = 25 * 3_600_000;
const batchRows = 500;
const lane = "rearchive";

/** Archives rows that events/archive gave up, by tenant; returns how many were missing. */
export async function archiveLostRows(ctx: PlatformContext, lost: readonly StreamedRow[]): Promise<number> {
  let count = 0;
  for (const [tenantId, rows] of Map.groupBy(lost, (row) => row.tenantId))
    count += await appendMissing(
      ctx,
      tenantId,
      rows.map(({ row }) => row),
    );
  return count;
}

/**
 * Archives the rows of a tenant's table, or of the platform's, that the stream has lost; returns how many were missing. `withStream`: false
 * for a table without a stream, which delivers no row at all.
 */
export async function rearchive(ctx: PlatformContext, tenantId: string | undefined, { withStream = true } = {}): Promise<number> {
  const { store, partitionOf } = openChain(ctx, tenantId);
  const untilMs = ctx.clock().getTime() - (withStream ? streamMs : 0);
  const from = tenantId === undefined ? 0 : Date.parse((await store.get(keys.tenantConfig()))?.createdAt ?? "");
  const rows: AuditRow[] = [];
  for (const month of monthsBetween(from > 0 ? from : firstYearMs, untilMs + 1))
    for (const category of auditCategories)
      for await (const row of rowsOf<AuditRow>(store, partitionOf(month, category))) if (Date.parse(row.at) < untilMs) rows.push(row);
  return appendMissing(
    ctx,
    tenantId,
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
}

/** The platform's first year. */
const firstYearMs = Date.UTC(2025, 0);

/**
 * Appends the rows whose ids no batch has. Exactly once beside other writers: the known ids are those of all batches up to the head, and
 * the next batch's name is accepted only once; a writer that finds it taken reads that batch too.
 */
async function appendMissing(ctx: PlatformContext, tenantId: string | undefined, rows: readonly Row[]): Promise<number> {
  const { store, key } = openChain(ctx, tenantId);
  const known = new Set<unknown>();
  let read = 0;
  let rest = rows;
  let count = 0;
  for (;;) {
    const head = await store.get(key);
    for (; read < (head?.batches ?? 0); read++) for (const id of await idsOf(tenantId, read + 1)) known.add(id);
    rest = rest.filter(({ id }) => !known.has(id));
    const batch = rest.slice(0, batchRows);
    if (batch.length === 0) return count;
    const number = (head?.batches ?? 0) + 1;
    const name = batchName(tenantId, number);
    const { lines, hash } = writeBatch(number, head?.hash ?? chainStart(tenantId), batch);
    const metadata = { hash, rows: String(batch.length), lane, position: String(batch.at(-1)?.["id"]) };
    const isOurs = await putArchive(name, lines, metadata);
    await moveHead(ctx, tenantId, head, z.parse(BatchMetadata, isOurs ? metadata : await archiveMetadata(name)));
    if (isOurs) count += batch.length;
  }
}

const idsOf = async (tenantId: string | undefined, number: number): Promise<string[]> =>
  readBatch((await getArchive(batchName(tenantId, number)))?.lines ?? "").lines.flatMap(({ row }) => row?.id ?? []);
