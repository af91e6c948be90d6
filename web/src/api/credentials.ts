const tokenName = "auth_token";
const tenantKeyName = "tenant_api_key";

/** This browser's proof of who is signed in, kept in local storage under the names that other clients rely on. */
export const readToken = (): string | null => localStorage.getItem(tokenName);

export const storeToken = (token: string): void => localStorage.setItem(tokenName, token);

/** Forgets the session and with it the tenant's key, which belongs to that session's tenant. */
export const clearCredentials = (): void => {
  localStorage.removeItem(tokenName);
  localStorage.removeItem(tenantKeyName);
};

/** The tenant's API key, if the person has put it in here. */
export const readTenantKey = (): string | null => localStorage.getItem(tenantKeyName);

/** null forgets it. */
export const storeTenantKey = (key: string | null): void =>
  key === null ? localStorage.removeItem(tenantKeyName) : localStorage.setItem(tenantKeyName, key);

export const credentialHeaders = (token: string | null): Record<string, string> => {
  const tenantKey = readTenantKey();
  return { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(tenantKey ? { "x-api-key": tenantKey } : {}) };
};

type Listener = (token: string | null) => void;

/** Tells when another tab signs in (a new token) or out (null). Returns how to stop. */
export const onTokenChangedElsewhere = (listener: Listener): (() => void) => {
  const hear = (event: StorageEvent) => {
    // key is null when the whole storage was cleared
    if (event.key === tokenName || event.key === null) listener(readToken());
  };
  window.addEventListener("storage", hear);
  return () => window.removeEventListener("storage", hear);
};

const expiryListeners = new Set<() => void>();

/** The server no longer accepts `token`. A newer one, stored meanwhile, stays. */
export const expire = (token: string): void => {
  if (readToken() !== token) return;
  clearCredentials();
  for (const listener of expiryListeners) listener();
};

export const onExpired = (listener: () => void): (() => void) => {
  expiryListeners.add(listener);
  return () => void expiryListeners.delete(listener);
};
