import { readAppSecrets } from "@vitaline/aws";
import { Id } from "@vitaline/contract";
import { reconcileElevenLabs } from "@vitaline/voice-providers";
import * as z from "zod/mini";
import { recordInOffice } from "../../lib/call-events/record.ts";
import { withOutboundLoopbackRule } from "../../lib/context/ehr-context.ts";
import { eventContextFor, type Invocation } from "../../lib/context/platform-context.ts";
import { shareOut, startShare } from "../../lib/context/share-out.ts";

/** One invocation reconciles as many in its time even when all of them are slow. */
const shareSize = { perShare: 24, maxShares: 5 };

/** The schedule names no providers. */
const Event = z.object({ providerIds: z.optional(z.array(Id)) });

/** Every 15 minutes: records ended ElevenLabs conversations without a webhook. */
export const handler = withOutboundLoopbackRule(async (event: unknown, invocation: Invocation): Promise<void> => {
  await readAppSecrets();
  const ctx = eventContextFor(invocation, "reconcile", ["health", "directory"]);
  const { providerIds } = z.parse(Event, event);
  await reconcileElevenLabs(ctx, recordInOffice, {
    providerIds,
    shareOut: (all) => shareOut(ctx, all, shareSize, (some) => startShare({ providerIds: some })),
  });
});
