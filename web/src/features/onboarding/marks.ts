import { useSyncExternalStore } from "react";

const prefix = "onboarding";
const listeners = new Set<() => void>();

/** A mark's name in local storage: what it is of, and the ids of those it is about, who are nobody to whoever reads it. */
const nameOf = (what: string, ids: readonly string[]): string => [prefix, what, ...ids].join(":");

/** Remembers in this browser that something was done; it outlives the session and says nothing else. */
export const mark = (what: string, ...ids: readonly string[]): void => {
  localStorage.setItem(nameOf(what, ids), "yes");
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};

/** Whether it was done in this browser, here or in another tab. */
export const useMark = (what: string, ...ids: readonly string[]): boolean =>
  useSyncExternalStore(subscribe, () => localStorage.getItem(nameOf(what, ids)) !== null);
