import { useSyncExternalStore } from "react";

const rememberKeyCopiedWhat = "key-copied";

/** The tenant's API key was put into the clipboard here, so it can be given to a voice platform. */
export const rememberKeyCopied = (tenantId: string): void => mark(rememberKeyCopiedWhat, tenantId);

const what = "dismissed";
const listeners = new Set<() => void>();

/** Remembers in this browser that something was done; it outlives the session and says nothing else. */
const mark = (what: string, ...ids: readonly string[]): void => {
  localStorage.setItem(nameOf(what, ids), "yes");
  for (const listener of listeners) listener();
};

const prefix = "onboarding";

/** A mark's name in local storage: what it is of, and the ids of those it is about, who are nobody to whoever reads it. */
const nameOf = (what: string, ids: readonly string[]): string => [prefix, what, ...ids].join(":");

export const useKeyCopied = (tenantId: string): boolean => useMark(rememberKeyCopiedWhat, tenantId);

/** Whether it was done in this browser, here or in another tab. */
const useMark = (what: string, ...ids: readonly string[]): boolean =>
  useSyncExternalStore(subscribe, () => localStorage.getItem(nameOf(what, ids)) !== null);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
};

/** Somebody does not want to see the checklist of a tenant any more. */
export const dismissChecklist = (userId: string, tenantId: string): void => mark(what, userId, tenantId);

export const useChecklistDismissed = (userId: string, tenantId: string): boolean => useMark(what, userId, tenantId);
