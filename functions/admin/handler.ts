import { listApiKeys, revokeApiKey, rotateApiKey } from "@vitaline/api-keys";
import { planUsage, replayKeptEvent } from "@vitaline/calls";
import { listKeptEvents } from "@vitaline/calls/platform-kept-events.ts";
import { contract, type erasures, type keptEvents, type offices, type team, type tenants, type users } from "@vitaline/contract";
import { approveErasure, cancelErasure, listErasures, readErasure, requestErasure } from "@vitaline/erasures";
import { createOffice, listOffices, officeDetail, updateOffice } from "@vitaline/offices";
import { resetColleagueTotp, unlockUser } from "@vitaline/sessions";
import { createTenant, listTenants, readPlan, tenantDetail, updateContactPreferencesOf, updateTenant } from "@vitaline/tenants";
import {
  changeColleague,
  createUser,
  inviteColleague,
  listTeam,
  listUsers,
  resendColleagueInvite,
  resendInvite,
  resetPassword,
  updateUser,
} from "@vitaline/users";
import { serve, type Handlers } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import type { TenantAdminContext } from "../lib/auth/types.ts";
import { inTenant, withScopes } from "../lib/context/platform-context.ts";
import { answerPage } from "../lib/http/response.ts";

const userHandlers: Handlers<typeof users, "accounts" | "throttle" | "directory"> = {
  listUsers: async (ctx, { query }) => answerPage(await listUsers(ctx, query)),
  createUser: (ctx, { body }) => createUser(ctx, body),
  updateUser: (ctx, { params, body, ifMatch }) => updateUser(ctx, params.userId, body, ifMatch),
  deactivateUser: (ctx, { params, ifMatch }) => updateUser(ctx, params.userId, { isActive: false }, ifMatch),
  reactivateUser: (ctx, { params, ifMatch }) => updateUser(ctx, params.userId, { isActive: true }, ifMatch),
  unlockUser: (ctx, { params }) => unlockUser(ctx, params.userId),
  resetUserPassword: (ctx, { params, body }) => resetPassword(ctx, params.userId, body),
  resendInvite: (ctx, { params }) => resendInvite(ctx, params.userId),
};

const withAccounts = (ctx: TenantAdminContext) => withScopes(ctx, "accounts", "throttle", "directory");

const teamHandlers: Handlers<typeof team> = {
  listTeam: async (ctx, { query }) => answerPage(await listTeam(withAccounts(ctx), query)),
  inviteColleague: (ctx, { body }) => inviteColleague(withAccounts(ctx), body),
  changeColleague: (ctx, { params, body, ifMatch }) => changeColleague(withAccounts(ctx), params.userId, body, ifMatch),
  resendColleagueInvite: (ctx, { params }) => resendColleagueInvite(withAccounts(ctx), params.userId),
  unlockColleague: (ctx, { params }) => unlockUser(withAccounts(ctx), params.userId, ctx.tenantId),
  resetColleagueTotp: (ctx, { params, body }) => resetColleagueTotp(withAccounts(ctx), params.userId, body),
};

const tenantHandlers: Handlers<typeof tenants, "directory" | "ehr"> = {
  listTenants: async (ctx, { query }) => answerPage(await listTenants(ctx, query)),
  createTenant: (ctx, { body }) => createTenant(ctx, body),
  getTenant: (ctx, { params, query }) => tenantDetail(ctx, params.tenantId, query.withKey),
  tenantUsage: async (ctx, { params }) => {
    const tenant = inTenant(ctx, params.tenantId);
    return planUsage(tenant, await readPlan(tenant));
  },
  updateTenant: (ctx, { params, body, ifMatch }) => updateTenant(ctx, params.tenantId, body, ifMatch),
  updateTenantContactPreferences: (ctx, { params, body, ifMatch }) =>
    updateContactPreferencesOf(inTenant(ctx, params.tenantId), body, ifMatch),
  regenerateTenantApiKey: async (ctx, { params, body }) => ({
    apiKey: await rotateApiKey(inTenant(ctx, params.tenantId), body.overlapSeconds),
  }),
  listTenantApiKeys: (ctx, { params }) => listApiKeys(inTenant(ctx, params.tenantId)),
  revokeTenantApiKey: (ctx, { params }) => revokeApiKey(inTenant(ctx, params.tenantId), params.keyId),
};

const officeHandlers: Handlers<typeof offices, "ehr"> = {
  listOffices: (ctx, { params }) => listOffices(inTenant(ctx, params.tenantId)),
  createOffice: (ctx, { params, body }) => createOffice(inTenant(ctx, params.tenantId), body),
  getOffice: (ctx, { params }) => officeDetail({ ...inTenant(ctx, params.tenantId), platform: ctx.platform }, params.officeId),
  updateOffice: (ctx, { params, body, ifMatch }) => updateOffice(inTenant(ctx, params.tenantId), params.officeId, body, ifMatch),
};

const keptEventHandlers: Handlers<typeof keptEvents, "platform"> = {
  listKeptEvents: async (ctx, { query }) => answerPage(await listKeptEvents(ctx, query)),
  replayKeptEvent: (ctx, { params }) => replayKeptEvent(inTenant(ctx, params.tenantId), params.id),
};

const erasureHandlers: Handlers<typeof erasures, "platform"> = {
  requestErasure: (ctx, { params, body }) => requestErasure(ctx, params.tenantId, body),
  listErasures: async (ctx, { query }) => answerPage(await listErasures(ctx, query)),
  getErasure: (ctx, { params, query }) => readErasure(ctx, params.erasureId, query),
  approveErasure: (ctx, { params }) => approveErasure(ctx, params.erasureId),
  cancelErasure: (ctx, { params }) => cancelErasure(ctx, params.erasureId),
};

export const handler = serve(contract.admin, sessionAuth, ["platform"])({
  ...userHandlers,
  ...teamHandlers,
  ...tenantHandlers,
  ...officeHandlers,
  ...keptEventHandlers,
  ...erasureHandlers,
});
