import { allDone, digest, errorFields } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { noteCalendar, noteDeliveries } from "@vitaline/webhooks";
import { addOnce, positionOf } from "./add-once.ts";
import { deliverNow } from "./deliver-now.ts";
import type { StreamEvent, StreamRecord } from "./event.ts";
import { factsOf, type Facts, type Understood } from "./facts.ts";
import { noteFeed } from "./feed-rows.ts";
import { keepRefused } from "./keep-refused.ts";
import { noteLiveCalls } from "./live-calls.ts";
import { statsRows } from "./stats-rows.ts";
import { noteMessages } from "./messages.ts";
import { noteReminders } from "./reminders.ts";
import { noteToolRuns } from "./tool-runs.ts";

/**
 * Projects a batch of one shard: tool runs onto their calls, calls that are going on, the feed, messages, reminders,
 * calendars and deliveries to webhooks, then the totals with one write per row and batch. Every write
 * may be repeated, so a failure simply throws and the batch comes again; meanwhile no row is half counted.
 * A record that can never be understood must not stop those behind it: it is kept with its reason and passed over.
 */
export async function project(ctx: PlatformContext, { shardId, Records }: StreamEvent): Promise<void> {
  const lane = digest("shard", shardId).slice(0, 12);
  const understood: Understood[] = [];
  for (const record of Records) {
    const position = positionOf(record.dynamodb.SequenceNumber);
    const facts = read(ctx, record);
    if (facts instanceof Error) await keepRefused(ctx, `${lane}#${position}`, record, facts);
    else understood.push({ position, facts });
  }
  await noteToolRuns(
    ctx,
    understood.flatMap(({ facts }) => facts.toolRun ?? []),
  );
  await noteLiveCalls(
    ctx,
    understood.flatMap(({ facts }) => facts.live ?? []),
  );
  await noteFeed(
    ctx,
    understood.flatMap(({ facts }) => facts.audit ?? []),
  );
  await noteMessages(
    ctx,
    understood.flatMap(({ position, facts: { message } }) => (message ? [{ position, message }] : [])),
    lane,
  );
  await noteReminders(
    ctx,
    understood.flatMap(({ facts }) => facts.reminder ?? []),
  );
  const announced = understood.flatMap(({ facts }) => facts.announced ?? []);
  await noteCalendar(
    ctx,
    announced.flatMap(({ calendar }) => calendar),
  );
  await noteDeliveries(
    ctx,
    announced.flatMap(({ events }) => events),
  );
  const now = ctx.clock();
  await allDone(statsRows(ctx.platform, understood).map((write) => addOnce(write, lane, now)));
  await deliverNow(
    ctx,
    understood.flatMap(({ facts }) => facts.due ?? []),
  );
}

const read = (ctx: PlatformContext, record: StreamRecord): Facts | Error => {
  try {
    return factsOf(record);
  } catch (error) {
    ctx.log("error", "projection.refused", errorFields(error));
    return error instanceof Error ? error : new Error("Not an error", { cause: error });
  }
};
