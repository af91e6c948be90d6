import { createToaster } from "@chakra-ui/react/toast";
import { keepDismissed } from "./dismissed-toasts.ts";

export const toastLimits = { shownMilliseconds: 5000, atOnce: 1, swipePixels: 50 };

/** Toasts stand for 5 seconds, one at a time. */
export const toaster = createToaster({
  placement: "bottom-end",
  max: toastLimits.atOnce,
  duration: toastLimits.shownMilliseconds,
  pauseOnPageIdle: true,
});

export type Toast = { title: string; description?: string; type: "success" | "error" };

/** Shows the newest at once: with one place, the toaster would queue it behind the one on screen. */
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
