import type { accounts } from "@vitaline/contract";
import {
  changePassword,
  confirmOwnTotp,
  endSession,
  enrollOwnTotp,
  forgotPassword,
  listSessions,
  logoutEverywhere,
  removeTotp,
  setPassword,
  viewAs,
} from "@vitaline/sessions";
import type { Handlers } from "../lib/serve.ts";

export const accountVerbs: Handlers<typeof accounts> = {
  forgotPassword: (ctx, { body }) => forgotPassword(ctx, body),
  resetPassword: (ctx, { body }) => setPassword(ctx, "reset", body),
  acceptInvite: (ctx, { body }) => setPassword(ctx, "invite", body),
  changePassword: (ctx, { body }) => changePassword(ctx, body),
  listSessions: (ctx) => listSessions(ctx),
  endSession: (ctx, { params }) => endSession(ctx, params.sessionId),
  logoutEverywhere: (ctx) => logoutEverywhere(ctx),
  enrollTotp: (ctx, { body }) => enrollOwnTotp(ctx, body),
  confirmTotp: async (ctx, { body }) => ({ recoveryCodes: await confirmOwnTotp(ctx, body.code) }),
  removeTotp: (ctx, { body }) => removeTotp(ctx, body.code),
  viewAs: (ctx, { params }) => viewAs(ctx, params.tenantId),
};
