import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "./log.ts";

/** Who acts. Written into every audit row. */
export type Actor =
  /** `viewAs`: a system administrator who looks at that tenant as its administrator does; with their `name`, which the tenant cannot look up. */
  | { kind: "user"; id: string; role: "system_admin" | "tenant_admin"; tenantId?: string; viewAs?: string; name?: string }
  | { kind: "api_key"; id: string; tenantId: string; platform?: string }
  /** A voice platform that proved itself with a signature: `id` is the tenant's voice provider. */
  | { kind: "voice_provider"; id: string; tenantId: string }
  | { kind: "system"; id: string }
  | { kind: "nobody"; id: "anonymous" };

export type Clock = () => Date;

/** How long is left before the answer must leave. */
export type Deadline = { remainingMs(): number };

export const deadlineIn = (ms: number, nowMs: () => number = Date.now): Deadline => {
  const end = nowMs() + ms;
  return { remainingMs: () => Math.max(0, end - nowMs()) };
};

/** Waits, as before another try; rejects when `signal` is aborted. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

export const pause: Pause = (ms, signal) => sleep(ms, undefined, { signal });

/** What every verb gets first: who asks, when, from where, and how to say what happened. */
export type Context = {
  requestId: string;
  actor: Actor;
  /** The caller's address as CloudFront saw it, or API Gateway's for platform routes. */
  clientAddress: string;
  /** Public origin of this deployment, without a trailing slash. */
  origin: string;
  clock: Clock;
  log: Log;
  deadline: Deadline;
  pause: Pause;
};
