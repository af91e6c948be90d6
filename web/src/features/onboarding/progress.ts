import { useSyncExternalStore } from "react";

const rememberKeyCopiedWhat = "key-copied";

/** Stored in this browser. */
export const markKeyCopied = (tenantId: string): void => mark(rememberKeyCopiedWhat, tenantId);

const what = "dismissed";
const listeners = new Set<() => void>();

/** Stored in this browser. It outlives the session. */
const mark = (what: string, ...ids: readonly string[]): void => {
  localStorage.setItem(nameOf(what, ids), "yes");
  for (const listener of listeners) listener();
};

const prefix = "onboarding";

/** A name in local storage. */
const nameOf = (what: string, ids: readonly string[]): string => [prefix, what, ...ids].join(":");

export const useKeyCopied = (tenantId: string): boolean => useMark(rememberKeyCopiedWhat, tenantId);

/** True also if another tab has set the mark. */
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

export const dismissChecklist = (userId: string, tenantId: string): void => mark(what, userId, tenantId);

export const useChecklistDismissed = (userId: string, tenantId: string): boolean => useMark(what, userId, tenantId);
