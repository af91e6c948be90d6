import { contract } from "@vitaline/contract";
import { generatePlatformKey, listPlatformKeys, retirePlatformKey } from "@vitaline/platform-keys";
import { serve } from "../lib/api/serve.ts";
import { sessionAuth } from "../lib/auth/session.ts";

export const handler = serve(contract.keys, sessionAuth, ["accounts", "ehr"])({
  listPlatformKeys: (ctx) => listPlatformKeys(ctx),
  generatePlatformKey: (ctx) => generatePlatformKey(ctx),
  retirePlatformKey: (ctx, { params }) => retirePlatformKey(ctx, params.kid),
});
