import type { Pending } from "@vitaline/contract";
import { ApiError } from "../api/api-error.ts";

const dutyByCode = new Map<string, Pending>([
  ["password_change_required", "password_change"],
  ["totp_enrolment_required", "totp_enrolment"],
]);

/** What the server wants a person to do before it answers anything else, when that is why it refused. */
export const dutyIn = (error: unknown): Pending | undefined =>
  error instanceof ApiError ? dutyByCode.get(error.problem?.code ?? "") : undefined;

type Listener = (duty: Pending) => void;
const listeners = new Set<Listener>();

export const tellDuty: Listener = (duty) => {
  for (const listener of listeners) listener(duty);
};

/** Tells when any call is refused for a duty: it may be asked for in the middle of a session. Returns how to stop. */
export const onDuty = (listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
