import { useSyncExternalStore } from "react";

/** How long what was dismissed can be read again: near seventeen minutes. */
const keptMilliseconds = 1_000_000;

export type DismissedToast = { id: string; title: string; description?: string; type: "success" | "error"; at: Date };

let kept: readonly DismissedToast[] = [];
const listeners = new Set<() => void>();

const change = (next: readonly DismissedToast[]): void => {
  kept = next;
  for (const listener of listeners) listener();
};

/** Removed for good after the delay. */
export const keepDismissed = (toast: DismissedToast): void => {
  if (kept.some(({ id }) => id === toast.id)) return;
  change([toast, ...kept]);
  setTimeout(() => change(kept.filter(({ id }) => id !== toast.id)), keptMilliseconds);
};

/** Whoever signs out takes what they were told along. */
export const forgetDismissed = (): void => change([]);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** What was said and dismissed, newest first. */
export const useDismissedToasts = (): readonly DismissedToast[] => useSyncExternalStore(subscribe, () => kept);
