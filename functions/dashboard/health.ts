import type { platformHealth as routes } from "@vitaline/contract";
import { platformHealth } from "@vitaline/system-health";
import type { Handlers } from "../lib/serve.ts";

export const healthVerbs: Handlers<typeof routes> = {
  platformSystemHealth: (ctx, { query }) => platformHealth(ctx, query.connection),
};
