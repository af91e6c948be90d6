import * as z from "zod/mini";
import { eventContext, type EventInvocation } from "../../lib/context/platform-context.ts";
import { batchSucceeded, StreamEvent } from "../../lib/dynamodb-stream/stream-event.ts";
import { projectKeptRecords } from "./kept-records.ts";
import { project } from "./project.ts";

/** The part of an EventBridge event that tells it from a batch. Source: "Amazon EventBridge event structure". */
const Scheduled = z.object({ source: z.literal("aws.events") });

/**
 * Projects the table's stream, one shard at a time. Throws when AWS refuses a write, so Lambda redelivers the batch. On its schedule it
 * projects records that were kept, if it can read them now.
 */
export const handler = async (event: unknown, invocation: EventInvocation): Promise<typeof batchSucceeded> => {
  const ctx = eventContext(invocation, "project");
  if (z.safeParse(Scheduled, event).success) await projectKeptRecords(ctx);
  else await project(ctx, z.parse(StreamEvent, event));
  return batchSucceeded;
};
