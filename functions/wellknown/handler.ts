import { contract } from "@vitaline/contract";
import { jwksMaxAgeSeconds, keySet } from "@vitaline/platform-keys";
import { answerWith } from "../lib/reply.ts";
import { serve } from "../lib/serve.ts";

export const handler = serve(contract.wellknown, { public: (ctx) => ctx })({
  jwks: async (ctx) => answerWith(await keySet(ctx), { headers: { "cache-control": `public, max-age=${jwksMaxAgeSeconds}` } }),
});
