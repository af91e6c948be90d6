import { useEffect, useSyncExternalStore } from "react";
import { readTenantKey, storeTenantKey } from "../../lib/session/credentials.ts";

/** The typed key, only in this page's memory. */
let typed: string | null = null;
const listeners = new Set<() => void>();

export const storeKey = (key: string | null): void => {
  typed = key;
  for (const listener of listeners) listener();
};

/** Also removes the key that another client stored in this browser. */
export const forgetKey = (): void => {
  storeTenantKey(null);
  storeKey(null);
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};

/** The typed key, or the one another client stored in this browser. Forgets the typed key on unmount. */
export const useApiKey = (): string | null => {
  useEffect(() => () => storeKey(null), []);
  return useSyncExternalStore(subscribe, () => typed ?? readTenantKey());
};
