import { type ApiKey, apiKeys, tenant } from "@vitaline/contract";
import { isUncertain, UnreadableAnswer } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";

/** The tenant's current key, from where the look at it is audited. Throws as `call` does. */
export const readKey = async (): Promise<string> => {
  const { apiKey } = await call(tenant.tenantInfo, {});
  if (apiKey === null) throw new UnreadableAnswer(tenant.tenantInfo.path);
  return apiKey;
};

export const currentOf = (keys: readonly ApiKey[] | undefined): ApiKey | undefined => keys?.find(({ status }) => status === "active");

/** How a tenant's keys are reached: by itself, or by the platform's administrator. */
type KeyStore = {
  list: () => Promise<ApiKey[]>;
  replace: (overlapSeconds: number) => Promise<{ apiKey: string }>;
  read: () => Promise<string>;
};
const ownKeys: KeyStore = {
  list: () => call(apiKeys.listApiKeys, {}),
  replace: (overlapSeconds) => call(tenant.regenerateApiKey, { body: { overlapSeconds } }),
  read: readKey,
};

/**
 * Replaces the key that is current among those that the person has seen; gives the new one, or null where it was replaced and cannot be
 * read now. An answer that was lost is looked for, because asking again would end at once the key that was to go on for a while. Throws as
 * `call` does.
 */
export const regenerate = async (
  overlapSeconds: number,
  seen: readonly ApiKey[] | undefined,
  store: KeyStore = ownKeys,
): Promise<string | null> => {
  const known = currentOf(seen ?? (await store.list()));
  try {
    return (await store.replace(overlapSeconds)).apiKey;
  } catch (error) {
    if (!isUncertain(error)) throw error;
    const now = currentOf(await store.list().catch(() => undefined));
    if (!now || now.id === known?.id) throw error;
    return store.read().catch(() => null);
  }
};
