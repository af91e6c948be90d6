import { Id } from "@vitaline/contract";
import { runErasure } from "@vitaline/erasures";
import * as z from "zod/mini";
import { eventContext } from "../../lib/context.ts";
import type { Invocation } from "../../lib/event.ts";

const Job = z.object({ erasureId: Id });

/** Takes one erasure as far as it goes now; functions/admin starts it, and functions/events/probe when its time has come. */
export const handler = async (event: unknown, invocation: Pick<Invocation, "awsRequestId" | "getRemainingTimeInMillis">): Promise<void> =>
  runErasure(eventContext(invocation, "erase"), z.parse(Job, event).erasureId);
