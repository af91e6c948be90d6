import type { leads } from "@vitaline/contract";
import { exportLeads, handleLead, listLeads, noteLead, readLead } from "@vitaline/leads";
import { knowRetention } from "@vitaline/store";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const leadVerbs: Handlers<typeof leads> = {
  listLeads: async (ctx, { query }) => {
    const { rows, next } = await listLeads(ctx, query);
    return answerWith(rows, { next });
  },
  createLead: (ctx, { body }) => {
    knowRetention(ctx.tenantId, ctx.session.tenant, ctx.clock().getTime());
    return noteLead(ctx, body);
  },
  exportLeads: (ctx, { query }) => exportLeads(ctx, query),
  readLead: (ctx, { params }) => readLead(ctx, params.leadId),
  handleLead: (ctx, { params, body, ifMatch }) => handleLead(ctx, params.leadId, body.handled, ifMatch),
};
