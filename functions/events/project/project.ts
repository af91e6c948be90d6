import { errorFields, awaitAllThenThrow } from "@vitaline/core";
import { tenantTimeZone } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { recordCalendarChanges, enqueueDeliveries } from "@vitaline/webhooks";
import { inTenant } from "../../lib/context/platform-context.ts";
import { positionOf, shardHash, type StreamEvent, type StreamRecord } from "../../lib/dynamodb-stream/stream-event.ts";
import { keepStreamRecord } from "./keep-record.ts";
import { countedTenantOf, readEffects, type RecordEffects, type TimeZones } from "./record-effects.ts";
import { projectAuditFeed } from "./projections/audit-feed.ts";
import { projectCallNumbers } from "./projections/call-numbers.ts";
import { projectLiveCalls } from "./projections/live-calls.ts";
import { projectMessages } from "./projections/messages.ts";
import { projectReminders } from "./projections/reminders.ts";
import { projectToDo } from "./projections/to-do.ts";
import { projectEndedCalls, projectToolRuns } from "./projections/tool-runs.ts";
import { startDueDeliveries } from "./projections/webhooks.ts";
import { incrementExactlyOnce } from "./stats/increment-exactly-once.ts";

/**
 * Projects a batch from one shard: tool runs, live calls, numbers of calls, the audit feed, messages, reminders, the list of work, calendars and webhook deliveries,
 * then the totals, in as few transactions as they fit into, and last what starts the deliveries that are due. Every write is
 * repeatable, so a failure throws and Lambda redelivers the batch. Records that cannot be read are kept, so they do not block the shard.
 */
export async function project(ctx: PlatformContext, { shardId, Records }: StreamEvent): Promise<void> {
  const shard = shardHash(shardId);
  const zones = await timeZonesOf(ctx, Records);
  const changes: { position: string; effects: RecordEffects }[] = [];
  for (const record of Records) {
    const position = positionOf(record.dynamodb.SequenceNumber);
    const effects = tryReadEffects(ctx, record, zones);
    if (effects instanceof Error) await keepStreamRecord(ctx, `${shard}#${position}`, record, effects);
    else changes.push({ position, effects });
  }
  const all = <Name extends Exclude<keyof RecordEffects, "increments">>(name: Name) =>
    changes.map(({ effects }) => effects[name]).filter((effect) => effect !== undefined);
  await projectToolRuns(ctx, all("toolRun"));
  await projectEndedCalls(ctx, all("endedCall"));
  await projectLiveCalls(ctx, all("liveCall"));
  await projectCallNumbers(ctx, all("callNumber"));
  await projectAuditFeed(ctx, all("audit"));
  const messages = changes.flatMap(({ position, effects: { message } }) => (message ? [{ position, message }] : []));
  const messageCounts = new Map((await projectMessages(ctx, messages, shard)).map(({ position, increments }) => [position, increments]));
  await projectReminders(ctx, all("reminder"));
  await projectToDo(ctx, all("toDo"));
  const businessEvents = all("businessEvents");
  const calendarChanges = businessEvents.flatMap(({ calendar }) => calendar);
  await recordCalendarChanges(ctx, calendarChanges);
  const events = businessEvents.flatMap((one) => one.events);
  await enqueueDeliveries(ctx, events);
  const counted = changes.map(({ position, effects: { increments } }) => ({
    position,
    increments: [...increments, ...(messageCounts.get(position) ?? [])],
  }));
  await incrementExactlyOnce(ctx, shard, counted);
  await startDueDeliveries(ctx, all("dueDelivery"));
}

const timeZonesOf = async (ctx: PlatformContext, records: readonly StreamRecord[]): Promise<TimeZones> => {
  const tenantIds = [...new Set(records.map(countedTenantOf).filter((id) => id !== undefined))];
  return new Map(await awaitAllThenThrow(tenantIds.map(async (id) => [id, await tenantTimeZone(inTenant(ctx, id))] as const)));
};

const tryReadEffects = (ctx: PlatformContext, record: StreamRecord, zones: TimeZones): RecordEffects | Error => {
  try {
    return readEffects(record, zones);
  } catch (error) {
    ctx.log("error", "projection.refused", { count: 1, ...errorFields(error) });
    return error instanceof Error ? error : new Error("Not an error", { cause: error });
  }
};
