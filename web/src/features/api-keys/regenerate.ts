import { type ApiKey, apiKeys, tenant } from "@vitaline/contract";
import { ApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { readKey } from "./read-key.ts";

export const currentOf = (keys: readonly ApiKey[] | undefined): ApiKey | undefined => keys?.find(({ status }) => status === "active");

/** It may have happened all the same: the answer was lost, or came from somebody between. */
const isUncertain = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;

/**
 * Replaces the key, of which `known` is what the person has seen; gives the new one. An answer that was lost is looked for,
 * because asking again would end at once the key that was to go on for a while. Throws as `call` does.
 */
export const regenerate = async (overlapSeconds: number, known: ApiKey | undefined): Promise<string> => {
  try {
    return (await call(tenant.regenerateApiKey, { body: { overlapSeconds } })).apiKey;
  } catch (error) {
    if (!known || !isUncertain(error)) throw error;
    const now = currentOf(await call(apiKeys.listApiKeys, {}).catch(() => undefined));
    if (!now || now.id === known.id) throw error;
    return readKey();
  }
};
