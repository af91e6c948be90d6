import { explain, isStale } from "../../lib/api/api-error.ts";
import { announce } from "../../lib/toast.ts";

/** Shows a toast and returns the message for the dialog, which covers the toast. */
export const announceRefusal = (title: string, failed: string, error: unknown): string => {
  const reason = isStale(error)
    ? "Another user has changed it in the meantime. The current version is shown; please try again."
    : explain(error);
  announce({ type: "error", title, description: `${failed}. ${reason}` });
  return `${failed}. ${reason}`;
};
