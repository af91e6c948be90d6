import type { PublicConfig } from "@vitaline/contract";
import { envReader, type Context } from "@vitaline/core";
import * as z from "zod/mini";

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

/** What the public pages show of this installation, as its operator has set it. */
export function publicConfig({ origin }: Pick<Context, "origin">): PublicConfig {
  const { DEMO_SCHEDULING_URL, SUPPORT_EMAIL, SUPPORT_PHONE, PROMOTION_REMAINING: remaining } = environment();
  return {
    schedulingUrl: DEMO_SCHEDULING_URL ?? null,
    support: { email: SUPPORT_EMAIL ?? null, phone: SUPPORT_PHONE ?? null, hours: supportHours },
    promotion: remaining === undefined ? null : { active: remaining > 0, label: promotionLabel, remaining },
    origin,
  };
}
