import { useEffect, useSyncExternalStore } from "react";
import { readTenantKey, storeTenantKey } from "../../lib/session/credentials.ts";

/** What was typed, in this page's memory alone. */
let typed: string | null = null;
const listeners = new Set<() => void>();

/** Holds a key for as long as somebody shows something that has it in it. */
export const keepKey = (key: string | null): void => {
  typed = key;
  for (const listener of listeners) listener();
};

/** Also the one that another client has put into this browser. */
export const forgetKey = (): void => {
  storeTenantKey(null);
  keepKey(null);
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};

/** The API key that was typed here, or that another client keeps in this browser; what was typed goes with who asked for it. */
export const useKeptKey = (): string | null => {
  useEffect(() => () => keepKey(null), []);
  return useSyncExternalStore(subscribe, () => typed ?? readTenantKey());
};
