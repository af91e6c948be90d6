import type { tenantHealth as routes } from "@vitaline/contract";
import { tenantHealth } from "@vitaline/system-health";
import { withPlatform } from "../lib/context.ts";
import type { Handlers } from "../lib/serve.ts";

export const healthVerbs: Handlers<typeof routes> = {
  tenantSystemHealth: (ctx) => tenantHealth(withPlatform(ctx), ctx.session.tenant),
};
