import { archiveRows } from "@vitaline/audit";
import type { Context } from "@vitaline/core";
import * as z from "zod/mini";
import { rowKindOf } from "../../lib/dynamodb-stream/row-kind.ts";
import { eventContext, type EventInvocation } from "../../lib/context/platform-context.ts";
import { batchSucceeded, shardHash, StreamEvent, type StreamRecord } from "../../lib/dynamodb-stream/stream-event.ts";
import { readAuditRow } from "../../lib/dynamodb-stream/audit-rows.ts";

/** Archives the audit rows of the table's stream, one shard at a time. Throws when AWS refuses a write, so Lambda redelivers the batch. */
export const handler = async (event: unknown, invocation: EventInvocation): Promise<typeof batchSucceeded> => {
  const { shardId, Records } = z.parse(StreamEvent, event);
  const ctx = eventContext(invocation, "archive");
  for (const record of Records) tellOfChange(ctx, record);
  await archiveRows(ctx, shardHash(shardId), Records.flatMap(readAuditRow));
  return batchSucceeded;
};

/** No role may change or delete an audit row before DynamoDB expires it; an alarm counts this event. */
const tellOfChange = (ctx: Context, { eventName, userIdentity, dynamodb: { Keys } }: StreamRecord): void => {
  const kind = rowKindOf(Keys.pk.S, Keys.sk.S);
  if (kind?.entity !== "audit" || eventName === "INSERT" || userIdentity) return;
  ctx.log("error", "audit.changed", { tenantId: kind.tenantId, operation: eventName, count: 1 });
};
