import { randomUUID } from "node:crypto";
import { errorFields } from "@vitaline/core";
import { keys, remove, type DueRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { resolveUnknown } from "@vitaline/tools";
import { platformContext } from "../../lib/context.ts";
import { reachingOut, withEhr } from "../../lib/ehr.ts";
import type { Invocation } from "../../lib/event.ts";

/** Due work lies in four partitions, so that many writers do not meet in one. */
const shards = ["0", "1", "2", "3"];
const perShard = 25;

/** Every minute: comes back to the writes whose outcome at the EHR is not known, until each is. */
export const handler = reachingOut(async (_event: unknown, invocation: Invocation): Promise<void> => {
  const request = {
    requestId: invocation.awsRequestId || randomUUID(),
    remainingMs: invocation.getRemainingTimeInMillis(),
    clientAddress: "127.0.0.1",
    origin: "",
  };
  const ctx = platformContext(request, { kind: "system", id: "probe" });
  for (const shard of shards) await probeShard(ctx, shard);
});

const probeShard = async (ctx: PlatformContext, shard: string): Promise<void> => {
  const { rows } = await ctx.platform.query<DueRow>(partitions.due(shard), { to: ctx.clock().toISOString(), limit: perShard });
  for (const row of rows) {
    if (ctx.deadline.remainingMs() < 10_000) return;
    await settle(ctx, shard, row);
  }
};

/** One failure must not keep the others waiting: it stays due and is tried again in a minute. */
const settle = async (ctx: PlatformContext, shard: string, { tenantId, id, dueAt, kind }: DueRow): Promise<void> => {
  try {
    const outcome = await resolveUnknown(withEhr(ctx, tenantId), id);
    ctx.log("info", "probed", { tenantId, operation: kind, code: outcome });
    if (outcome === "done") await ctx.platform.inTenant(tenantId).note(remove(keys.due(shard, dueAt, kind, id)));
  } catch (error) {
    ctx.log("warn", "probe failed", { tenantId, operation: kind, ...errorFields(error) });
  }
};
