import { archiveRows } from "@vitaline/audit";
import { digest } from "@vitaline/core";
import * as z from "zod/mini";
import { eventContext } from "../../lib/context.ts";
import type { Invocation } from "../../lib/event.ts";
import { positionOf } from "../project/add-once.ts";
import { StreamEvent } from "../project/event.ts";
import { arrivedOf } from "./arrived.ts";

/** Nothing is carried from batch to batch, but without a state Lambda takes the answer for a failure. */
const done = { state: {}, batchItemFailures: [] };

/** The audit rows of the table's stream, one shard at a time, into the archive. Throws when AWS cannot take it now: Lambda then delivers the batch again. */
export const handler = async (
  event: unknown,
  invocation: Pick<Invocation, "awsRequestId" | "getRemainingTimeInMillis">,
): Promise<typeof done> => {
  const { shardId, Records } = z.parse(StreamEvent, event);
  const arrived = Records.flatMap((record) => arrivedOf(record, positionOf(record.dynamodb.SequenceNumber)));
  await archiveRows(eventContext(invocation, "archive"), digest("shard", shardId).slice(0, 12), arrived);
  return done;
};
