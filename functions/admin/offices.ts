import type { offices } from "@vitaline/contract";
import { createOffice, listOffices, officeDetail, updateOffice } from "@vitaline/offices";
import { inTenant } from "../lib/context.ts";
import type { Handlers } from "../lib/serve.ts";

export const officeVerbs: Handlers<typeof offices> = {
  listOffices: (ctx, { params }) => listOffices(inTenant(ctx, params.tenantId)),
  createOffice: (ctx, { params, body }) => createOffice(inTenant(ctx, params.tenantId), body),
  getOffice: (ctx, { params }) => officeDetail({ ...inTenant(ctx, params.tenantId), platform: ctx.platform }, params.officeId),
  updateOffice: (ctx, { params, body, ifMatch }) => updateOffice(inTenant(ctx, params.tenantId), params.officeId, body, ifMatch),
};
