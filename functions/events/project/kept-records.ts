import { deterministicId } from "@vitaline/core";
import { keys, put, remove, rowsOf, type KeptEventContentRow, type KeptEventRow } from "@vitaline/store";
import { rowAt, type OwnedWrite, type PlatformContext } from "@vitaline/store/platform.ts";
// Importing by name keeps the rest of zod out of the bundle.
import { $ZodError } from "zod/v4/core";
import * as z from "zod/mini";
import { type Image, StreamRecord } from "../../lib/dynamodb-stream/stream-event.ts";
import { rowKindOf } from "../../lib/dynamodb-stream/row-kind.ts";
import { applyEffects } from "./apply-effects.ts";
import { effectsOfRowNow, readEffects, type RecordEffects, timeZonesOf } from "./record-effects.ts";
import { startDueDeliveries } from "./projections/webhooks.ts";
import { incrementWith } from "./stats/increment-exactly-once.ts";

/** DynamoDB items are limited to 400 KB; of a larger record only the keys are stored. */
const maxBodyBytes = 300_000;

type Place = { shard: string; position: string };

/** Keeps an unreadable record as an event of its tenant, or of the platform: in the transaction that moves the shard's position past it. */
export function keepingWrites(ctx: PlatformContext, { shard, position }: Place, record: StreamRecord, error: Error): OwnedWrite[] {
  const { dynamodb } = record;
  const contentId = `${shard}#${position}`;
  const kind = rowKindOf(dynamodb.Keys.pk.S, dynamodb.Keys.sk.S);
  const whole = JSON.stringify(record);
  const { NewImage: _new, OldImage: _old, ...place } = dynamodb;
  const body = Buffer.byteLength(whole) <= maxBodyBytes ? whole : JSON.stringify({ ...record, dynamodb: place });
  const { ApproximateCreationDateTime: seconds } = dynamodb;
  const atMs = seconds === undefined ? ctx.clock().getTime() : Math.floor(seconds * 1000);
  const at = new Date(atMs).toISOString();
  const content: KeptEventContentRow = { id: contentId, at, from: "project", reason: reasonOf(error), body };
  const listed: KeptEventRow = {
    // Derived from the record's time and place: sorts by time, and stays the same on redelivery.
    id: deterministicId(atMs, "kept-event", contentId),
    contentId,
    from: content.from,
    reason: content.reason,
    at,
    bytes: Buffer.byteLength(whole),
    tries: 0,
    ...(kind && "tenantId" in kind && kind.tenantId ? { tenantId: kind.tenantId } : {}),
  };
  const { contentKey, listedKey } = placeOf(ctx, listed, contentId);
  const owner = listed.tenantId === undefined ? {} : { tenantId: listed.tenantId };
  return [
    { write: put<object>(contentKey, content), ...owner },
    { write: put<object>(listedKey, listed), ...owner },
  ];
}

/** The kind of error and the names of the invalid fields, without their values. */
const reasonOf = (error: Error): string =>
  error instanceof $ZodError ? `fields: ${error.issues.map(({ path }) => path.join(".")).join(", ")}` : error.name;

const placeOf = ({ platform }: PlatformContext, { id, tenantId }: KeptEventRow, contentId: string) =>
  tenantId === undefined
    ? { store: platform, contentKey: keys.platformKeptEventContent(contentId), listedKey: keys.platformKeptEvent(id) }
    : { store: platform.inTenant(tenantId), contentKey: keys.keptEventContent(contentId), listedKey: keys.keptEvent(id) };

const perPage = 100;
const reserveMs = 10_000;

/**
 * Projects the kept records that this version can read: while a version is being deployed, and after a way back, one cannot read what a
 * newer one wrote. Newest first, so that records which no version can read do not keep others waiting. Each once: its sums are added in
 * the transaction that removes it. Throws after the last one if some failed.
 */
export async function projectKeptRecords(ctx: PlatformContext): Promise<void> {
  const failures: unknown[] = [];
  for await (const row of rowsOf<KeptEventRow>(ctx.platform, keys.partitions.keptEvents, { descending: true, limit: perPage })) {
    if (ctx.deadline.remainingMs() < reserveMs) break;
    if (row.contentId === undefined) continue;
    // One whose writes are refused keeps no other waiting.
    await projectKeptRecord(ctx, row, row.contentId).catch((error: unknown) => void failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, "Kept records could not be projected");
}

async function projectKeptRecord(ctx: PlatformContext, row: KeptEventRow, contentId: string): Promise<void> {
  const { store, contentKey, listedKey } = placeOf(ctx, row, contentId);
  const content = await store.get<KeptEventContentRow>(contentKey);
  if (content) {
    const effects = await effectsOf(ctx, content);
    if (!effects) return;
    const [shard = "", position = ""] = contentId.split("#");
    const [counted] = await applyEffects(ctx, shard, [{ position, effects }]);
    const removed = { write: remove(contentKey, { exists: true }), ...(row.tenantId === undefined ? {} : { tenantId: row.tenantId }) };
    if (counted) await incrementWith(ctx, removed, shard, counted);
    await startDueDeliveries(ctx, effects.dueDelivery ? [effects.dueDelivery] : []);
    ctx.log("info", "projection.replayed", { count: 1 });
  }
  await store.writeUnaudited(remove(listedKey));
}

/** undefined: it still cannot be read, or was too large to keep. */
async function effectsOf(ctx: PlatformContext, { body = "" }: KeptEventContentRow): Promise<RecordEffects | undefined> {
  const record = z.parse(StreamRecord, JSON.parse(body));
  if (!record.dynamodb.NewImage && !record.dynamodb.OldImage) return undefined;
  try {
    // Later records may have said more of the row: a live call has no version, and of the rest it counts what the row says now.
    const { liveCall: _live, callNumber, toDo, ...effects } = readEffects(record, await timeZonesOf(ctx, [record]));
    const isState = toDo?.kind === "state";
    if (!isState && !callNumber) return { ...effects, toDo };
    const { pk, sk } = record.dynamodb.Keys;
    const now = effectsOfRowNow(record, await ctx.platform.get(rowAt<Image>({ pk: pk.S, sk: sk.S })));
    return { ...effects, callNumber: now.callNumber, toDo: isState ? now.toDo : toDo };
  } catch {
    return undefined;
  }
}
