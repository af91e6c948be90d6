import type { accounts } from "@vitaline/contract";
import {
  changePassword,
  endSession,
  forgotPassword,
  listSessions,
  logoutEverywhere,
  removeTotp,
  setPassword,
  viewAs,
} from "@vitaline/sessions";
import { confirmTotp, enrollTotp } from "@vitaline/users";
import type { Handlers } from "../lib/serve.ts";

export const accountVerbs: Handlers<typeof accounts> = {
  forgotPassword: (ctx, { body }) => forgotPassword(ctx, body),
  resetPassword: (ctx, { body }) => setPassword(ctx, "reset", body),
  acceptInvite: (ctx, { body }) => setPassword(ctx, "invite", body),
  changePassword: (ctx, { body }) => changePassword(ctx, body),
  listSessions: (ctx) => listSessions(ctx),
  endSession: (ctx, { params }) => endSession(ctx, params.sessionId),
  logoutEverywhere: (ctx) => logoutEverywhere(ctx),
  enrollTotp: (ctx) => enrollTotp(ctx, ctx.session.actor.id),
  confirmTotp: async (ctx, { body }) => ({ recoveryCodes: await confirmTotp(ctx, ctx.session.actor.id, body.code) }),
  removeTotp: (ctx, { body }) => removeTotp(ctx, body.code),
  viewAs: (ctx, { params }) => viewAs(ctx, params.tenantId),
};
