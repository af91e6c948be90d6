import { readAppSecrets } from "@vitaline/aws";
import { Id } from "@vitaline/contract";
import { runErasure } from "@vitaline/erasures";
import * as z from "zod/mini";
import { eventContext, type EventInvocation } from "../../lib/context/platform-context.ts";

const Job = z.object({ erasureId: Id });

/** Advances one erasure as far as possible. Started by functions/admin, and by functions/events/retry when it is due. */
export const handler = async (event: unknown, invocation: EventInvocation): Promise<void> => {
  await readAppSecrets();
  await runErasure(eventContext(invocation, "erase"), z.parse(Job, event).erasureId);
};
