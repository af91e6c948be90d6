import type { Clock, Deadline, Pause } from "./async.ts";
import type { Log } from "./log.ts";

/** The acting party; written into every audit row. */
export type Actor =
  /** `viewAs`: the tenant that a system administrator views as its administrator. `name` is then set too, because the tenant cannot look it up. */
  | { kind: "user"; id: string; role: "system_admin" | "tenant_admin"; tenantId?: string; viewAs?: string; name?: string }
  | { kind: "api_key"; id: string; tenantId: string; platform?: string }
  /** A voice platform authenticated by its signature; `id` is the tenant's voice provider. */
  | { kind: "voice_provider"; id: string; tenantId: string }
  | { kind: "system"; id: string }
  | { kind: "nobody"; id: "anonymous" };

/** The first argument of every operation. */
export type Context = {
  requestId: string;
  actor: Actor;
  /** The caller's address as CloudFront saw it; on platform routes, as API Gateway saw it. */
  clientAddress: string;
  /** Public origin of this deployment, without a trailing slash. */
  origin: string;
  clock: Clock;
  log: Log;
  deadline: Deadline;
  pause: Pause;
};
