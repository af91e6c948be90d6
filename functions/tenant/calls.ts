import { callsInProgress, exportCalls, followUpCall, listCalls, readCall, toolRuns } from "@vitaline/calls";
import type { tenantCalls } from "@vitaline/contract";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const callVerbs: Handlers<typeof tenantCalls> = {
  listCalls: async (ctx, { query }) => {
    const { rows, next } = await listCalls(ctx, query);
    return answerWith(rows, { next });
  },
  callsInProgress: (ctx, { query }) => callsInProgress(ctx, query.officeId),
  exportCalls: (ctx, { query }) => exportCalls(ctx, query),
  readCall: (ctx, { params }) => readCall(ctx, params.callId),
  followUpCall: (ctx, { params, body, ifMatch }) => followUpCall(ctx, params.callId, body, ifMatch),
  listToolCalls: async (ctx, { query }) => {
    const { rows, next } = await toolRuns(ctx, query);
    return answerWith(rows, { next });
  },
};
