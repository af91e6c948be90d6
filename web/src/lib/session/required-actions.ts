import type { Pending } from "@vitaline/contract";
import { ApiError } from "../api/api-error.ts";

const actionByCode = new Map<string, Pending>([
  ["password_change_required", "password_change"],
  ["totp_enrolment_required", "totp_enrolment"],
]);

/** The action that the server requires before it answers other requests. */
export const requiredActionOf = (error: unknown): Pending | undefined =>
  error instanceof ApiError ? actionByCode.get(error.problem?.code ?? "") : undefined;

type Listener = (duty: Pending) => void;
const listeners = new Set<Listener>();

export const reportRequiredAction: Listener = (duty) => {
  for (const listener of listeners) listener(duty);
};

/** Reports each request that was refused for a required action. Returns the unsubscribe function. */
export const onRequiredAction = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
