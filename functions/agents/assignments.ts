import type { voiceAgents } from "@vitaline/contract";
import {
  assignVoiceAgent,
  deleteVoiceAgent,
  listAllVoiceAgents,
  listVoiceAgents,
  tenantOfOffice,
  updateVoiceAgent,
} from "@vitaline/voice-agents";
import type { SessionContext } from "../lib/callers.ts";
import { inTenant } from "../lib/context.ts";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

const ofOffice = async (ctx: SessionContext, officeId: string) => inTenant(ctx, await tenantOfOffice(ctx, officeId));

export const assignmentVerbs: Handlers<typeof voiceAgents> = {
  listVoiceAgents: async (ctx, { params, query }) => {
    const { rows, next } = await listVoiceAgents(inTenant(ctx, params.tenantId), undefined, query);
    return answerWith(rows, { next });
  },
  assignVoiceAgent: (ctx, { params, body }) => assignVoiceAgent(inTenant(ctx, params.tenantId), undefined, body),
  updateVoiceAgent: (ctx, { params: { tenantId, id }, body, ifMatch }) => updateVoiceAgent(inTenant(ctx, tenantId), { id }, body, ifMatch),
  deleteVoiceAgent: (ctx, { params: { tenantId, id }, ifMatch }) => deleteVoiceAgent(inTenant(ctx, tenantId), { id }, ifMatch),
  listOfficeVoiceAgents: async (ctx, { params, query }) => {
    const { rows, next } = await listVoiceAgents(await ofOffice(ctx, params.officeId), params.officeId, query);
    return answerWith(rows, { next });
  },
  assignOfficeVoiceAgent: async (ctx, { params, body }) => assignVoiceAgent(await ofOffice(ctx, params.officeId), params.officeId, body),
  updateOfficeVoiceAgent: async (ctx, { params, body, ifMatch }) =>
    updateVoiceAgent(await ofOffice(ctx, params.officeId), params, body, ifMatch),
  deleteOfficeVoiceAgent: async (ctx, { params, ifMatch }) => deleteVoiceAgent(await ofOffice(ctx, params.officeId), params, ifMatch),
  listAllVoiceAgents: async (ctx, { query }) => {
    const { rows, next } = await listAllVoiceAgents(ctx, query);
    return answerWith(rows, { next });
  },
};
