import type { tenantOffices } from "@vitaline/contract";
import { createOffice, officeCards, officeDetail, updateOffice } from "@vitaline/offices";
import { withPlatform } from "../lib/context.ts";
import type { Handlers } from "../lib/serve.ts";

export const officeVerbs: Handlers<typeof tenantOffices> = {
  officeCards: (ctx) => officeCards(withPlatform(ctx), ctx.session.tenant),
  createOwnOffice: (ctx, { body }) => createOffice(ctx, body),
  getOwnOffice: (ctx, { params }) => officeDetail(withPlatform(ctx), params.officeId),
  updateOwnOffice: (ctx, { params, body, ifMatch }) => updateOffice(ctx, params.officeId, body, ifMatch),
};
