import { sendContactMessage } from "@vitaline/contact";
import { contract, type PublicConfig } from "@vitaline/contract";
import { openApi } from "@vitaline/contract/openapi.ts";
import { envReader, type Context } from "@vitaline/core";
import { publicHealth, statusHistory } from "@vitaline/system-health/platform-status.ts";
import * as z from "zod/mini";
import { serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";
import { answerWith } from "../lib/http/response.ts";

const environment = envReader(
  z.object({
    DEMO_SCHEDULING_URL: z.optional(z.url()),
    SUPPORT_EMAIL: z.optional(z.string()),
    SUPPORT_PHONE: z.optional(z.string()),
    PROMOTION_REMAINING: z.optional(z.coerce.number().check(z.int(), z.gte(0))),
  }),
);

const supportHours = "9-6 EST Monday to Friday, Saturday 10-4, Sunday closed";
const promotionLabel = "For the first 100 MVP members";

function publicConfig({ origin }: Pick<Context, "origin">): PublicConfig {
  const { DEMO_SCHEDULING_URL, SUPPORT_EMAIL, SUPPORT_PHONE, PROMOTION_REMAINING: remaining } = environment();
  return {
    schedulingUrl: DEMO_SCHEDULING_URL ?? null,
    support: { email: SUPPORT_EMAIL ?? null, phone: SUPPORT_PHONE ?? null, hours: supportHours },
    promotion: remaining === undefined ? null : { active: remaining > 0, label: promotionLabel, remaining },
    origin,
  };
}

const cachedFor = (seconds: number) => ({ headers: { "cache-control": `public, max-age=${seconds}` } });

let openApiDocument: ReturnType<typeof openApi> | undefined;

export const handler = serve(contract.site, sessionAuth, ["accounts", "contact", "throttle", "health"])({
  sendContactMessage: (ctx, { body }) => sendContactMessage(ctx, body),
  publicConfig: async (ctx) => answerWith(publicConfig(ctx), cachedFor(300)),
  publicHealth: async (ctx) => answerWith(await publicHealth(ctx), cachedFor(10)),
  statusHistory: async (ctx) => answerWith(await statusHistory(ctx), cachedFor(300)),
  openapi: async () => answerWith((openApiDocument ??= openApi()), cachedFor(300)),
});
