import { createToaster } from "@chakra-ui/react/toast";

/** Toasts stand for 5 seconds, one at a time. */
export const toaster = createToaster({ placement: "bottom-end", max: 1, duration: 5000, pauseOnPageIdle: true });

type Toast = { title: string; description?: string; type: "success" | "error" };

/** Shows the newest at once: with one place, the toaster would queue it behind the one on screen. */
export const announce = (toast: Toast): void => {
  toaster.dismiss();
  toaster.create({ ...toast, closable: true });
};
