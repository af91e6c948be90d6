import { type ApiKey, apiKeys, type KeyPurpose, tenant } from "@vitaline/contract";
import { isUncertain, UnreadableAnswer } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";

/** Reads the tenant's current key; the API audits this, with the purpose. Throws like `call`. */
const readKeyFor = async (purpose?: KeyPurpose): Promise<string> => {
  const { apiKey } = await call(tenant.tenantInfo, purpose ? { query: { purpose } } : {});
  if (apiKey === null) throw new UnreadableAnswer(tenant.tenantInfo.path);
  return apiKey;
};

export const readKey = (): Promise<string> => readKeyFor();
export const readKeyForTestCall = (): Promise<string> => readKeyFor("test_call");

export const activeKey = (keys: readonly ApiKey[] | undefined): ApiKey | undefined => keys?.find(({ status }) => status === "active");

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
 * Replaces the key and returns the new one, or null if it was replaced but cannot be read. After a lost response it compares the current
 * key with `seen` instead of retrying: a second request would end the overlap of the old key at once. Throws like `call`.
 */
export const regenerateKey = async (
  overlapSeconds: number,
  seen: readonly ApiKey[] | undefined,
  store: KeyStore = ownKeys,
): Promise<string | null> => {
  const known = activeKey(seen ?? (await store.list()));
  try {
    return (await store.replace(overlapSeconds)).apiKey;
  } catch (error) {
    if (!isUncertain(error)) throw error;
    const now = activeKey(await store.list().catch(() => undefined));
    if (!now || now.id === known?.id) throw error;
    return store.read().catch(() => null);
  }
};
