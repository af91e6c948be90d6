import { contract } from "@vitaline/contract";
import {
  changePassword,
  confirmOwnTotp,
  endSession,
  enrollOwnTotp,
  forgotPassword,
  listSessions,
  login,
  logoutEverywhere,
  openInvitation,
  removeTotp,
  setPassword,
  viewAs,
} from "@vitaline/sessions";
import { serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";

export const handler = serve(contract.auth, sessionAuth, ["accounts", "throttle", "directory"])({
  login: (ctx, { body }) => login(ctx, body),
  me: async (ctx) => ctx.session.user,
  logout: (ctx) => endSession(ctx, ctx.session.sid),
  forgotPassword: (ctx, { body }) => forgotPassword(ctx, body),
  resetPassword: (ctx, { body }) => setPassword(ctx, "reset", body),
  acceptInvite: (ctx, { body }) => setPassword(ctx, "invite", body),
  readInvitation: (ctx, { body }) => openInvitation(ctx, body.token),
  changePassword: (ctx, { body }) => changePassword(ctx, body),
  listSessions: (ctx) => listSessions(ctx),
  endSession: (ctx, { params }) => endSession(ctx, params.sessionId),
  logoutEverywhere: (ctx) => logoutEverywhere(ctx),
  enrollTotp: (ctx, { body }) => enrollOwnTotp(ctx, body),
  confirmTotp: async (ctx, { body }) => ({ recoveryCodes: await confirmOwnTotp(ctx, body.code) }),
  removeTotp: (ctx, { body }) => removeTotp(ctx, body.code),
  viewAs: (ctx, { params }) => viewAs(ctx, params.tenantId),
});
