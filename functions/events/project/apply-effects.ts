import type { PlatformContext } from "@vitaline/store/platform.ts";
import { recordCalendarChanges, enqueueDeliveries } from "@vitaline/webhooks";
import { projectAuditFeed } from "./projections/audit-feed.ts";
import { projectCallNumbers } from "./projections/call-numbers.ts";
import { projectLiveCalls } from "./projections/live-calls.ts";
import { projectMessages } from "./projections/messages.ts";
import { projectReminders } from "./projections/reminders.ts";
import { projectToDo } from "./projections/to-do.ts";
import { projectEndedCalls, projectToolRuns } from "./projections/tool-runs.ts";
import type { RecordEffects } from "./record-effects.ts";
import type { CountedRecord } from "./stats/increment-exactly-once.ts";

/** A record's effects, and its place in the shard. */
export type PlacedEffects = { position: string; effects: RecordEffects };

/** Writes everything that records of a shard mean except sums, which it returns. Repeatable: each projection gives the same rows again. */
export async function applyEffects(ctx: PlatformContext, shard: string, changes: readonly PlacedEffects[]): Promise<CountedRecord[]> {
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
  await recordCalendarChanges(
    ctx,
    businessEvents.flatMap(({ calendar }) => calendar),
  );
  await enqueueDeliveries(
    ctx,
    businessEvents.flatMap(({ events }) => events),
  );
  return changes.map(({ position, effects: { increments } }) => ({
    position,
    increments: [...increments, ...(messageCounts.get(position) ?? [])],
  }));
}
