import { reconcileElevenLabs } from "@vitaline/voice-providers";
import { recordInOffice } from "../../lib/call-events/record.ts";
import { withLoopbackRule } from "../../lib/context/ehr-context.ts";
import { eventContextFor, type Invocation } from "../../lib/context/platform-context.ts";

/** Every 15 minutes: records ended ElevenLabs conversations without a webhook. */
export const handler = withLoopbackRule(async (_event: unknown, invocation: Invocation): Promise<void> => {
  await reconcileElevenLabs(eventContextFor(invocation, "reconcile", ["health", "directory"]), recordInOffice);
});
