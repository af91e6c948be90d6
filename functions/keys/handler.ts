import { contract } from "@vitaline/contract";
import { generatePlatformKey, listPlatformKeys, retirePlatformKey } from "@vitaline/platform-keys";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";

export const handler = serve(
  contract.keys,
  people,
)({
  listPlatformKeys: (ctx) => listPlatformKeys(ctx),
  generatePlatformKey: (ctx) => generatePlatformKey(ctx),
  retirePlatformKey: (ctx, { params }) => retirePlatformKey(ctx, params.kid),
});
