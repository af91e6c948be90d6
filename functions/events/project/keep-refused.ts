import { idFrom } from "@vitaline/core";
import { keys, put, type InboxRow, type KeptEventRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
// By name: through the namespace it would bring all of zod into the bundle.
import { $ZodError } from "zod/v4/core";
import type { StreamRecord } from "./event.ts";
import { sourceOf } from "./source.ts";

/** An item of the table ends at 400 KB; of a larger record the row itself is left to look at. */
const bodyBytes = 300_000;

/** Keeps a record that the projection does not understand, in its tenant's inbox or the platform's; delivered again, it lies there once. */
export async function keepRefused(ctx: PlatformContext, id: string, { eventName, dynamodb }: StreamRecord, reason: Error): Promise<void> {
  const source = sourceOf(dynamodb.Keys.pk.S, dynamodb.Keys.sk.S);
  const whole = JSON.stringify({ eventName, dynamodb });
  const body = Buffer.byteLength(whole) <= bodyBytes ? whole : JSON.stringify({ eventName, dynamodb: { Keys: dynamodb.Keys } });
  const { ApproximateCreationDateTime: seconds } = dynamodb;
  const atMs = seconds === undefined ? ctx.clock().getTime() : Math.floor(seconds * 1000);
  const at = new Date(atMs).toISOString();
  const row: InboxRow = { id, at, from: "project", reason: reasonOf(reason), body };
  const listed: KeptEventRow = {
    // Of its time, as the list is in that order, and the same however often the record is delivered
    id: idFrom(atMs, "kept-event", id),
    from: row.from,
    reason: row.reason,
    at,
    bytes: Buffer.byteLength(whole),
    tries: 0,
  };
  const tenantId = source && "tenantId" in source ? source.tenantId : undefined;
  if (tenantId) {
    const own = ctx.platform.inTenant(tenantId);
    await own.note(put(keys.inbox(id), row));
    await own.note(put(keys.keptEvent(listed.id), { ...listed, tenantId }));
  } else {
    await ctx.platform.note(put(keys.platformInbox(id), row));
    await ctx.platform.note(put(keys.platformKeptEvent(listed.id), listed));
  }
}

/** The kind of error, and the fields that are not as they should be; never what stands in them. */
const reasonOf = (error: Error): string =>
  error instanceof $ZodError ? `fields: ${error.issues.map(({ path }) => path.join(".")).join(", ")}` : error.name;
