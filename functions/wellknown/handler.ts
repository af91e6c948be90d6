import { contract } from "@vitaline/contract";
import { jwksMaxAgeSeconds, keySet } from "@vitaline/platform-keys";
import { serve } from "../lib/api/serve.ts";
import { answerWith } from "../lib/http/response.ts";

export const handler = serve(contract.wellknown, { public: (ctx) => ctx }, ["ehr"])({
  jwks: async (ctx) => answerWith(await keySet(ctx), { headers: { "cache-control": `public, max-age=${jwksMaxAgeSeconds}` } }),
});
