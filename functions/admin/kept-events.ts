import { replayKeptEvent } from "@vitaline/calls";
import { listKeptEvents } from "@vitaline/calls/platform-reads.ts";
import type { keptEvents } from "@vitaline/contract";
import { inTenant } from "../lib/context.ts";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const keptEventVerbs: Handlers<typeof keptEvents> = {
  listKeptEvents: async (ctx, { query }) => {
    const { rows, next } = await listKeptEvents(ctx, query);
    return answerWith(rows, { next });
  },
  replayKeptEvent: (ctx, { params }) => replayKeptEvent(inTenant(ctx, params.tenantId), params.id),
};
