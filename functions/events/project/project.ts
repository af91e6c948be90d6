import { errorFields } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { positionOf, shardHash, type StreamEvent, type StreamRecord } from "../../lib/dynamodb-stream/stream-event.ts";
import { applyEffects, type PlacedEffects } from "./apply-effects.ts";
import { keepingWrites } from "./kept-records.ts";
import { readEffects, type RecordEffects, type TimeZones, timeZonesOf } from "./record-effects.ts";
import { startDueDeliveries } from "./projections/webhooks.ts";
import { type CountedRecord, incrementExactlyOnce } from "./stats/increment-exactly-once.ts";

/**
 * Projects a batch from one shard: tool runs, live calls, numbers of calls, the audit feed, messages, reminders, the list of work, calendars and webhook deliveries,
 * then the totals, in as few transactions as they fit into, and last what starts the deliveries that are due. Every write is
 * repeatable, so a failure throws and Lambda redelivers the batch. Records that cannot be read are kept, so they do not block the shard.
 */
export async function project(ctx: PlatformContext, { shardId, Records }: StreamEvent): Promise<void> {
  const shard = shardHash(shardId);
  const zones = await timeZonesOf(ctx, Records);
  const changes: PlacedEffects[] = [];
  const kept: CountedRecord[] = [];
  for (const record of Records) {
    const position = positionOf(record.dynamodb.SequenceNumber);
    const effects = tryReadEffects(ctx, record, zones);
    if (effects instanceof Error) kept.push({ position, increments: [], kept: keepingWrites(ctx, { shard, position }, record, effects) });
    else changes.push({ position, effects });
  }
  const counted = [...(await applyEffects(ctx, shard, changes)), ...kept];
  await incrementExactlyOnce(
    ctx,
    shard,
    counted.toSorted((a, b) => (a.position < b.position ? -1 : 1)),
  );
  const due = changes.flatMap(({ effects }) => effects.dueDelivery ?? []);
  await startDueDeliveries(ctx, due);
}

const tryReadEffects = (ctx: PlatformContext, record: StreamRecord, zones: TimeZones): RecordEffects | Error => {
  try {
    return readEffects(record, zones);
  } catch (error) {
    ctx.log("error", "projection.refused", { count: 1, ...errorFields(error) });
    return error instanceof Error ? error : new Error("Not an error", { cause: error });
  }
};
