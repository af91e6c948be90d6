import * as z from "zod/mini";
import { eventContext, type EventInvocation } from "../../lib/context/platform-context.ts";
import { batchSucceeded, StreamEvent } from "../../lib/dynamodb-stream/stream-event.ts";
import { project } from "./project.ts";

/** Projects the table's stream, one shard at a time. Throws when AWS refuses a write, so Lambda redelivers the batch. */
export const handler = async (event: unknown, invocation: EventInvocation): Promise<typeof batchSucceeded> => {
  await project(eventContext(invocation, "project"), z.parse(StreamEvent, event));
  return batchSucceeded;
};
