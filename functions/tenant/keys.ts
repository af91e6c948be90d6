import { listApiKeys, revokeApiKey } from "@vitaline/api-keys";
import type { apiKeys } from "@vitaline/contract";
import type { Handlers } from "../lib/serve.ts";

export const keyVerbs: Handlers<typeof apiKeys> = {
  listApiKeys: (ctx) => listApiKeys(ctx),
  revokeApiKey: (ctx, { params }) => revokeApiKey(ctx, params.keyId),
};
