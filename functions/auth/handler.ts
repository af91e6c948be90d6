import { contract } from "@vitaline/contract";
import { endSession, login } from "@vitaline/sessions";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";
import { accountVerbs } from "./accounts.ts";

export const handler = serve(
  contract.auth,
  people,
)({
  login: (ctx, { body }) => login(ctx, body),
  me: async (ctx) => ctx.session.user,
  logout: (ctx) => endSession(ctx, ctx.session.sid),
  ...accountVerbs,
});
