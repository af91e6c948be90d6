import { reconcileElevenLabs } from "@vitaline/voice-providers";
import { eventContext } from "../../lib/context.ts";
import { reachingOut } from "../../lib/ehr.ts";
import type { Invocation } from "../../lib/event.ts";
import { takeCallEvent } from "../../lib/take-call-event.ts";

/** Every 15 minutes: ends of ElevenLabs' conversations that no webhook has told. */
export const handler = reachingOut(async (_event: unknown, invocation: Invocation): Promise<void> => {
  await reconcileElevenLabs(eventContext(invocation, "reconcile"), takeCallEvent);
});
