import { deterministicId } from "@vitaline/core";
import { keys, put, type KeptEventContentRow, type KeptEventRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
// Importing by name keeps the rest of zod out of the bundle.
import { $ZodError } from "zod/v4/core";
import type { StreamRecord } from "../../lib/dynamodb-stream/stream-event.ts";
import { rowKindOf } from "../../lib/dynamodb-stream/row-kind.ts";

/** DynamoDB items are limited to 400 KB; of a larger record only the keys are stored. */
const maxBodyBytes = 300_000;

/** Keeps an unreadable record as an event of its tenant, or of the platform. Repeatable: `id` is fixed per record. */
export async function keepStreamRecord(
  ctx: PlatformContext,
  id: string,
  { eventName, dynamodb }: StreamRecord,
  error: Error,
): Promise<void> {
  const kind = rowKindOf(dynamodb.Keys.pk.S, dynamodb.Keys.sk.S);
  const whole = JSON.stringify({ eventName, dynamodb });
  const body = Buffer.byteLength(whole) <= maxBodyBytes ? whole : JSON.stringify({ eventName, dynamodb: { Keys: dynamodb.Keys } });
  const { ApproximateCreationDateTime: seconds } = dynamodb;
  const atMs = seconds === undefined ? ctx.clock().getTime() : Math.floor(seconds * 1000);
  const at = new Date(atMs).toISOString();
  const row: KeptEventContentRow = { id, at, from: "project", reason: reasonOf(error), body };
  const listed: KeptEventRow = {
    // Derived from the record's time and id: sorts by time, and stays the same on redelivery.
    id: deterministicId(atMs, "kept-event", id),
    from: row.from,
    reason: row.reason,
    at,
    bytes: Buffer.byteLength(whole),
    tries: 0,
  };
  const tenantId = kind && "tenantId" in kind ? kind.tenantId : undefined;
  if (tenantId) {
    const store = ctx.platform.inTenant(tenantId);
    await store.writeUnaudited(put(keys.keptEventContent(id), row));
    await store.writeUnaudited(put(keys.keptEvent(listed.id), { ...listed, tenantId }));
  } else {
    await ctx.platform.writeUnaudited(put(keys.platformKeptEventContent(id), row));
    await ctx.platform.writeUnaudited(put(keys.platformKeptEvent(listed.id), listed));
  }
}

/** The kind of error and the names of the invalid fields, without their values. */
const reasonOf = (error: Error): string =>
  error instanceof $ZodError ? `fields: ${error.issues.map(({ path }) => path.join(".")).join(", ")}` : error.name;
