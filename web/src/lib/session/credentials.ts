const tokenName = "auth_token";
const viewName = "view";
const viewOverName = "view_over";
const tenantKeyName = "tenant_api_key";

/** The person's own proof of who is signed in, kept in local storage under the names that other clients rely on. */
const readOwnToken = (): string | null => localStorage.getItem(tokenName);

/** Tells one's own sessions apart without holding a whole token twice. */
const ownMark = (): string => readOwnToken()?.slice(-12) ?? "";

/**
 * Of a look at a tenant in this tab alone: its token, and the address where it began. Nothing once somebody else has signed in: a tab
 * that is opened again brings its storage along.
 */
export const readView = (): string[] => {
  const [token = "", from = "", mark] = sessionStorage.getItem(viewName)?.split(" ") ?? [];
  return token !== "" && mark === ownMark() ? [token, from] : [];
};

/** The proof that this tab shows: that of a look at a tenant, else the person's own. */
export const readToken = (): string | null => readView()[0] ?? readOwnToken();

/** Each session that this tab holds: the one it shows first. */
export const readTokens = (): string[] => [...new Set([readToken(), readOwnToken()])].filter((token) => token !== null);

export const storeToken = (token: string): void => localStorage.setItem(tokenName, token);

export const storeView = (token: string, from: string): void => sessionStorage.setItem(viewName, `${token} ${from} ${ownMark()}`);

/** The person's own session was there all the while. */
export const forgetView = (): void => sessionStorage.removeItem(viewName);

/** The look ended by itself: the page that it leads back to says so. */
export const noteViewOver = (): void => sessionStorage.setItem(viewOverName, "yes");

/** Whether a look has ended by itself since this was last asked. */
export const takeViewOver = (): boolean => {
  const isOver = sessionStorage.getItem(viewOverName) !== null;
  sessionStorage.removeItem(viewOverName);
  return isOver;
};

/** Forgets the session and with it the tenant's key, which belongs to that session's tenant. */
export const clearCredentials = (): void => {
  forgetView();
  takeViewOver();
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
    if (event.key !== tokenName && event.key !== null) return;
    // Who looked at a tenant here has left, or is somebody else now.
    forgetView();
    listener(readToken());
  };
  window.addEventListener("storage", hear);
  return () => window.removeEventListener("storage", hear);
};

/** `viewFrom`: the address where a look at a tenant began, if it is that which has ended. */
type ExpiryListener = (viewFrom: string | undefined) => void;
const expiryListeners = new Set<ExpiryListener>();

/** The server no longer accepts `token`. A newer one, stored meanwhile, stays, and so does one's own after a look at a tenant. */
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
