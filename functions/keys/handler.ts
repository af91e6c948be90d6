import { contract } from "@vitaline/contract";
import { generatePlatformKey } from "@vitaline/platform-keys";
import { people } from "../lib/people.ts";
import { serve } from "../lib/serve.ts";

export const handler = serve(
  contract.keys,
  people,
)({
  generatePlatformKey: (ctx) => generatePlatformKey(ctx),
});
