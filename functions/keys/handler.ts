import { contract } from "@vitaline/contract";
import { generatePlatformKey } from "@vitaline/platform-keys";
import { serve } from "../lib/serve.ts";

export const handler = serve(contract.keys)({
  generatePlatformKey: (ctx) => generatePlatformKey(ctx),
});
