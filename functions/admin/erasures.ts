import type { erasures } from "@vitaline/contract";
import { approveErasure, cancelErasure, listErasures, readErasure, requestErasure } from "@vitaline/erasures";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const erasureVerbs: Handlers<typeof erasures> = {
  requestErasure: (ctx, { params, body }) => requestErasure(ctx, params.tenantId, body),
  listErasures: async (ctx, { query }) => {
    const { rows, next } = await listErasures(ctx, query);
    return answerWith(rows, { next });
  },
  getErasure: (ctx, { params, query }) => readErasure(ctx, params.erasureId, query),
  approveErasure: (ctx, { params }) => approveErasure(ctx, params.erasureId),
  cancelErasure: (ctx, { params }) => cancelErasure(ctx, params.erasureId),
};
