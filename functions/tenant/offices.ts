import type { tenantOffices } from "@vitaline/contract";
import { createOffice, officeCards, officeDetail, updateOffice } from "@vitaline/offices";
import type { Handlers } from "../lib/api/serve.ts";
import { withScopes } from "../lib/context/platform-context.ts";

export const officeHandlers: Handlers<typeof tenantOffices> = {
  officeCards: (ctx) => officeCards(withScopes(ctx, "ehr"), ctx.session.tenant),
  createOwnOffice: (ctx, { body }) => createOffice(ctx, body),
  getOwnOffice: (ctx, { params }) => officeDetail(withScopes(ctx, "ehr"), params.officeId),
  updateOwnOffice: (ctx, { params, body, ifMatch }) => updateOffice(ctx, params.officeId, body, ifMatch),
};
