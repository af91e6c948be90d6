import { mailUnmailed } from "@vitaline/contact";
import { allDone, errorFields } from "@vitaline/core";
import { probeAll } from "@vitaline/system-health";
import { eventContext } from "../../lib/context.ts";
import { reachingOut } from "../../lib/ehr.ts";
import type { Invocation } from "../../lib/event.ts";
import { askApi } from "./ask-api.ts";

/** Every five minutes: how the platform's parts and its connections are, and contact messages that still have to be mailed. */
export const handler = reachingOut(async (_event: unknown, invocation: Invocation): Promise<void> => {
  const ctx = eventContext(invocation, "health");
  // Side by side: mail that goes slowly makes no probe late.
  await allDone([
    probeAll(ctx, askApi),
    mailUnmailed(ctx).catch((error: unknown) => ctx.log("error", "contact messages not mailed", errorFields(error))),
  ]);
});
