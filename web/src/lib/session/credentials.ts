const tokenName = "auth_token";
const viewName = "view";
const viewOverName = "view_over";
const tenantKeyName = "tenant_api_key";

/** In local storage, under names that other clients use too. */
const readOwnToken = (): string | null => localStorage.getItem(tokenName);

/** Identifies the user's session without storing the whole token again. */
const ownSessionId = (): string => readOwnToken()?.slice(-12) ?? "";

/**
 * The token of a view of a tenant in this tab, and the address where it began. Empty once another user has signed in: a
 * reopened tab restores its storage.
 */
export const readView = (): string[] => {
  const [token = "", from = "", mark] = sessionStorage.getItem(viewName)?.split(" ") ?? [];
  return token !== "" && mark === ownSessionId() ? [token, from] : [];
};

/** The token of this tab: of a view of a tenant, else the user's own. */
export const readToken = (): string | null => readView()[0] ?? readOwnToken();

/** The tokens of this tab, the active one first. */
export const readTokens = (): string[] => [...new Set([readToken(), readOwnToken()])].filter((token) => token !== null);

export const storeToken = (token: string): void => localStorage.setItem(tokenName, token);

export const storeView = (token: string, from: string): void => sessionStorage.setItem(viewName, `${token} ${from} ${ownSessionId()}`);

export const forgetView = (): void => sessionStorage.removeItem(viewName);

/** The next page reports the end of the view. */
export const markViewEnded = (): void => sessionStorage.setItem(viewOverName, "yes");

/** Whether a view has ended by itself since the last call. */
export const takeViewEnded = (): boolean => {
  const isOver = sessionStorage.getItem(viewOverName) !== null;
  sessionStorage.removeItem(viewOverName);
  return isOver;
};

/** Also deletes the tenant's API key, which belongs to the session's tenant. */
export const clearCredentials = (): void => {
  forgetView();
  takeViewEnded();
  localStorage.removeItem(tokenName);
  localStorage.removeItem(tenantKeyName);
};

export const readTenantKey = (): string | null => localStorage.getItem(tenantKeyName);

/** null deletes it. */
export const storeTenantKey = (key: string | null): void =>
  key === null ? localStorage.removeItem(tenantKeyName) : localStorage.setItem(tenantKeyName, key);

export const credentialHeaders = (token: string | null): Record<string, string> => {
  const tenantKey = readTenantKey();
  return { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(tenantKey ? { "x-api-key": tenantKey } : {}) };
};

type Listener = (token: string | null) => void;

/** Reports a login (token) or logout (null) in another tab. Returns the unsubscribe function. */
export const onTokenChangedElsewhere = (listener: Listener): (() => void) => {
  const hear = (event: StorageEvent) => {
    // key is null after localStorage.clear().
    if (event.key !== tokenName && event.key !== null) return;
    // The view belongs to the previous session.
    forgetView();
    listener(readToken());
  };
  window.addEventListener("storage", hear);
  return () => window.removeEventListener("storage", hear);
};

/** `viewFrom` is the address where an ended view of a tenant began. */
type ExpiryListener = (viewFrom: string | undefined) => void;
const expiryListeners = new Set<ExpiryListener>();

/** Deletes a token that the server has refused. A newer token stays, and so does the user's own after a view of a tenant. */
export const expire = (token: string): void => {
  if (readToken() !== token) return;
  const [, viewFrom] = readView();
  if (token === readOwnToken()) clearCredentials();
  else forgetView();
  for (const listener of expiryListeners) listener(viewFrom);
};

export const onExpired = (listener: ExpiryListener): (() => void) => {
  expiryListeners.add(listener);
  return () => void expiryListeners.delete(listener);
};
