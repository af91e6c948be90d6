import { complianceMetrics, userActivity } from "@vitaline/compliance";
import type { compliance } from "@vitaline/contract";
import type { Handlers } from "../lib/serve.ts";

export const complianceVerbs: Handlers<typeof compliance> = {
  complianceMetrics: (ctx) => complianceMetrics(ctx),
  userActivity: (ctx, { query }) => userActivity(ctx, query.limit),
};
