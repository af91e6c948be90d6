import { allDone, digest, errorFields } from "@vitaline/core";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { addOnce, positionOf } from "./add-once.ts";
import type { StreamEvent, StreamRecord } from "./event.ts";
import { factsOf, type Facts, type Understood } from "./facts.ts";
import { keepRefused } from "./keep-refused.ts";
import { statsRows } from "./stats-rows.ts";
import { noteToolRuns } from "./tool-runs.ts";

/**
 * Projects a batch of one shard: tool runs onto their calls, then the totals with one write per row and batch. Every write
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
  const now = ctx.clock();
  await allDone(statsRows(ctx.platform, understood).map(({ store, key, parts }) => addOnce(store, key, lane, parts, now)));
}

const read = (ctx: PlatformContext, record: StreamRecord): Facts | Error => {
  try {
    return factsOf(record);
  } catch (error) {
    ctx.log("error", "projection.refused", errorFields(error));
    return error instanceof Error ? error : new Error("Not an error", { cause: error });
  }
};
