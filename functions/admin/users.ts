import type { users } from "@vitaline/contract";
import { unlockUser } from "@vitaline/sessions";
import { createUser, listUsers, resendInvite, resetPassword, updateUser } from "@vitaline/users";
import { answerWith } from "../lib/reply.ts";
import type { Handlers } from "../lib/serve.ts";

export const userVerbs: Handlers<typeof users> = {
  listUsers: async (ctx, { query }) => {
    const { rows, next } = await listUsers(ctx, query);
    return answerWith(rows, { next });
  },
  createUser: (ctx, { body }) => createUser(ctx, body),
  updateUser: (ctx, { params, body, ifMatch }) => updateUser(ctx, params.userId, body, ifMatch),
  deactivateUser: (ctx, { params, ifMatch }) => updateUser(ctx, params.userId, { isActive: false }, ifMatch),
  reactivateUser: (ctx, { params, ifMatch }) => updateUser(ctx, params.userId, { isActive: true }, ifMatch),
  unlockUser: (ctx, { params }) => unlockUser(ctx, params.userId),
  resetUserPassword: (ctx, { params, body }) => resetPassword(ctx, params.userId, body),
  resendInvite: (ctx, { params }) => resendInvite(ctx, params.userId),
};
