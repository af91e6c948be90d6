import { setTimeout as sleep } from "node:timers/promises";
import type { Call, Reply } from "./http.ts";
import { Refusal } from "./refusal.ts";

/** Every fault by its name, and what a caller sees of it. */
export const faultMeanings = {
  down: "the connection is cut without an answer",
  slow: "the answer comes after delayMs (3000 unless told)",
  hang: "the work is done, but no answer ever comes",
  "429": "too many requests, with Retry-After: 1",
  "429-no-retry-after": "too many requests, without Retry-After",
  "503": "out of service, with an OperationOutcome",
  html: "a proxy's 502 page instead of FHIR",
  "401-once": "one FHIR call finds its token refused",
  "empty-201": "one create answers without a body",
  "slot-taken": "one booking finds that somebody else took its slot a moment before",
} as const;
type FaultKind = keyof typeof faultMeanings;
const faultKinds = Object.keys(faultMeanings) as FaultKind[];

export interface Fault {
  kind: FaultKind;
  /** Only calls with this method and a path that begins like this; without it every FHIR and token call. */
  match?: { method?: string; path?: string };
  /** How many calls it strikes; without it every one until DELETE /faults. */
  times?: number;
  delayMs?: number;
}

/** These strike a single call unless told otherwise. */
const onceKinds = new Set<FaultKind>(["401-once", "empty-201", "slot-taken"]);
/** What only some calls can suffer from. */
const reaches: Partial<Record<FaultKind, (call: Call) => boolean>> = {
  "401-once": ({ path }) => path.startsWith("/r4/"),
  "empty-201": ({ method, path }) => method === "POST" && /^\/r4\/[A-Za-z]+$/.test(path),
  "slot-taken": ({ method, path }) => method === "POST" && path === "/r4/Appointment",
};

export interface Faults {
  /** The fault that strikes this call, if any; counts down its `times`. */
  strike(call: Call): Fault | undefined;
  /** POST, GET and DELETE /faults. */
  answer(call: Call): Reply;
}

export function createFaults(): Faults {
  let active: Fault[] = [];
  return {
    strike(call) {
      const fault = active.find((one) => isReached(one, call));
      if (fault?.times !== undefined) fault.times -= 1;
      active = active.filter(({ times }) => times !== 0);
      return fault;
    },
    answer(call) {
      if (call.method === "DELETE") active = [];
      else if (call.method === "POST") active = added(active, parseFault(call.body));
      else if (call.method !== "GET")
        throw new Refusal(405, "not-supported", "/faults takes GET, POST and DELETE", { Allow: "GET, POST, DELETE" });
      return { status: 200, headers: { "Content-Type": "application/json" }, body: { faults: active, kinds: faultKinds } };
    },
  };
}

const added = (active: Fault[], fault: Fault | undefined) => (fault ? [...active, fault] : []);

function isReached({ kind, match }: Fault, call: Call): boolean {
  if (match?.method && match.method.toUpperCase() !== call.method) return false;
  if (match?.path && !call.path.startsWith(match.path)) return false;
  return reaches[kind]?.(call) ?? true;
}

function parseFault(body: string): Fault | undefined {
  const wanted = parseJson(body) as (Omit<Partial<Fault>, "kind"> & { kind?: string }) | undefined;
  if (wanted?.kind === "none") return undefined;
  const kind = faultKinds.find((one) => one === wanted?.kind);
  const { match, times, delayMs } = wanted ?? {};
  const wrong =
    !kind ||
    (times !== undefined && !(Number.isInteger(times) && times > 0)) ||
    (delayMs !== undefined && !(Number.isFinite(delayMs) && delayMs >= 0)) ||
    (match !== undefined &&
      (typeof match !== "object" || [match?.method, match?.path].some((part) => part !== undefined && typeof part !== "string")));
  if (wrong)
    throw new Refusal(
      400,
      "invalid",
      `A fault is {"kind", "match"?: {"method"?, "path"?}, "times"?, "delayMs"?}; kinds: none, ${faultKinds.join(", ")}`,
    );
  return {
    kind,
    ...(match && { match }),
    ...(times ? { times } : onceKinds.has(kind) ? { times: 1 } : {}),
    ...(delayMs !== undefined && { delayMs }),
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const htmlError = "<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>";

/** Faults that answer instead of the server. */
const replies: Partial<Record<FaultKind, Reply>> = {
  "429": { status: 429, headers: { "Retry-After": "1" }, body: outcome("throttled") },
  "429-no-retry-after": { status: 429, headers: { RateLimit: '"fhir";r=0;t=1' }, body: outcome("throttled") },
  "503": { status: 503, body: outcome("transient") },
  html: { status: 502, headers: { "Content-Type": "text/html" }, body: htmlError },
  "401-once": { status: 401, headers: { "WWW-Authenticate": "Bearer" }, body: outcome("login") },
};

function outcome(code: string): object {
  return { resourceType: "OperationOutcome", issue: [{ severity: "error", code, diagnostics: "A fault that was asked for" }] };
}

const defaultSlowMs = 3000;

/** Plays a fault around the real answer: "hang" does the work and never tells, "down" cuts the connection. */
export async function underFault(fault: Fault | undefined, answer: () => Promise<Reply>): Promise<Reply | "cut" | "silence"> {
  if (!fault) return answer();
  if (fault.kind === "down") return "cut";
  if (fault.kind === "slow") await sleep(fault.delayMs ?? defaultSlowMs);
  const instead = replies[fault.kind];
  if (instead) return instead;
  const reply = await answer();
  if (fault.kind === "hang") return "silence";
  return fault.kind === "empty-201" && reply.status === 201 ? { status: 201, headers: withoutBody(reply.headers) } : reply;
}

const withoutBody = ({ Location = "", ETag = "" }: Record<string, string> = {}) => ({ Location, ETag });
