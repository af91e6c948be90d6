import { createToaster } from "@chakra-ui/react/toast";
import { useSyncExternalStore } from "react";

/** Dismissed toasts can be read again for about 17 minutes. */
const keptMilliseconds = 1_000_000;

type DismissedToast = { id: string; title: string; description?: string; type: "success" | "error"; at: Date };

let kept: readonly DismissedToast[] = [];
const listeners = new Set<() => void>();

const change = (next: readonly DismissedToast[]): void => {
  kept = next;
  for (const listener of listeners) listener();
};

const keepDismissed = (toast: DismissedToast): void => {
  if (kept.some(({ id }) => id === toast.id)) return;
  change([toast, ...kept]);
  setTimeout(() => change(kept.filter(({ id }) => id !== toast.id)), keptMilliseconds);
};

export const forgetDismissed = (): void => change([]);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useDismissedToasts = (): readonly DismissedToast[] => useSyncExternalStore(subscribe, () => kept);

export const toastLimits = { shownMilliseconds: 5000, atOnce: 1, swipePixels: 50 };

/** Five seconds each, one at a time. */
export const toaster = createToaster({
  placement: "bottom-end",
  max: toastLimits.atOnce,
  duration: toastLimits.shownMilliseconds,
  pauseOnPageIdle: true,
});

type Toast = { title: string; description?: string; type: "success" | "error" };

/** Replaces the current toast, which the toaster would otherwise show first. */
export const announce = (toast: Toast): void => {
  toaster.dismiss();
  const at = new Date();
  const id = toaster.create({
    ...toast,
    closable: true,
    onStatusChange: ({ status }) => {
      if (status === "unmounted") keepDismissed({ ...toast, id, at });
    },
  });
};
