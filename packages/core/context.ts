import type { Log } from "./log.ts";

/** Who acts. Written into every audit row. */
export type Actor =
  | { kind: "user"; id: string; role: "system_admin" | "tenant_admin"; tenantId?: string }
  | { kind: "api_key"; id: string; tenantId: string; platform?: string }
  | { kind: "system"; id: string }
  | { kind: "nobody"; id: "anonymous" };

export type Clock = () => Date;

/** How long is left before the answer must leave. */
export type Deadline = { remainingMs(): number };

export const deadlineIn = (ms: number, nowMs: () => number = Date.now): Deadline => {
  const end = nowMs() + ms;
  return { remainingMs: () => Math.max(0, end - nowMs()) };
};

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
};
