import { sendContactMessage } from "@vitaline/contact";
import { contract } from "@vitaline/contract";
import { openApi } from "@vitaline/contract/openapi.ts";
import { publicHealth } from "@vitaline/system-health/platform-status.ts";
import { people } from "../lib/people.ts";
import { answerWith } from "../lib/reply.ts";
import { serve } from "../lib/serve.ts";
import { publicConfig } from "./config.ts";

/** The same for everyone, so that any cache on the way may keep it. */
const cachedFor = (seconds: number) => ({ headers: { "cache-control": `public, max-age=${seconds}` } });

/** Printed from the route table when somebody first asks. */
let printed: ReturnType<typeof openApi> | undefined;

export const handler = serve(
  contract.site,
  people,
)({
  sendContactMessage: (ctx, { body }) => sendContactMessage(ctx, body),
  publicConfig: async (ctx) => answerWith(publicConfig(ctx), cachedFor(300)),
  publicHealth: async (ctx) => answerWith(await publicHealth(ctx), cachedFor(10)),
  openapi: async () => answerWith((printed ??= openApi()), cachedFor(300)),
});
