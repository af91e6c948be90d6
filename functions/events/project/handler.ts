import * as z from "zod/mini";
import { eventContext } from "../../lib/context.ts";
import type { Invocation } from "../../lib/event.ts";
import { StreamEvent } from "./event.ts";
import { project } from "./project.ts";

/** Nothing is carried from batch to batch, but without a state Lambda takes the answer for a failure. */
const done = { state: {}, batchItemFailures: [] };

/** The table's stream, one shard at a time. Throws when AWS cannot take a write now: Lambda then delivers the batch again. */
export const handler = async (
  event: unknown,
  invocation: Pick<Invocation, "awsRequestId" | "getRemainingTimeInMillis">,
): Promise<typeof done> => {
  await project(eventContext(invocation, "project"), z.parse(StreamEvent, event));
  return done;
};
