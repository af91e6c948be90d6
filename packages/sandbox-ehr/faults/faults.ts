import { type Call, Refusal, type Reply } from "../http/http.ts";

export const faultMeanings = {
  down: "the connection is cut without an answer",
  slow: "the answer is delayed by delayMs (default 3000)",
  hang: "the call runs but never gets an answer",
  "lost-write": "a write runs, and the connection is cut before its answer",
  "429": "too many requests, with Retry-After: 1",
  "429-no-retry-after": "too many requests, without Retry-After",
  "503": "out of service, with an OperationOutcome",
  html: "a proxy's 502 page instead of FHIR",
  "401-once": "one FHIR call gets a 401 for its token",
  "empty-201": "one create answers without a body",
  "conflict-once": "one create is refused because of a concurrent write (409); nothing is stored",
  "slot-taken": "another user takes the slot of one booking just before it",
  "slot-not-flipped": "a booking leaves its slot free for other callers",
  stale: "one update gets a version conflict (412; 409 at cerner-like)",
  "partial-transaction": "a transaction runs as a batch: valid entries are stored even if others fail",
  unsorted: "a search ignores _sort and answers in storage order",
  "strict-accents": "a name search with E does not find É",
  "foreign-next": "the next link of a search leads to another host",
  "endless-next": "the next link of a search leads to the same page",
  cyclic: "search results contain a resource that refers to itself",
  huge: "an answer of 50 MB",
  deep: "JSON nested 10,000 levels deep",
  "wrong-type": "the correct answer with the type text/plain",
  "wrong-charset": "the correct answer in UTF-16 with a FHIR JSON type",
  "fewer-scopes": "a token for only the first requested scope",
  "clock-skew": "the token endpoint's clock is ten minutes ahead",
} as const;
export type FaultKind = keyof typeof faultMeanings;
const faultKinds = Object.keys(faultMeanings) as FaultKind[];

export interface Fault {
  kind: FaultKind;
  match?: { method?: string; path?: string };
  times?: number;
  delayMs?: number;
}

export interface FaultTarget {
  call: Call;
  at: "fhir" | "token";
  path: string;
}

const onceKinds = new Set<FaultKind>(["401-once", "conflict-once", "empty-201", "slot-taken", "stale"]);

const isToken = ({ at }: FaultTarget) => at === "token";
const isFhir = ({ at }: FaultTarget) => at === "fhir";
const posts =
  (pattern: RegExp) =>
  ({ call, path }: FaultTarget) =>
    call.method === "POST" && pattern.test(path);
const isSearch = (target: FaultTarget) =>
  (target.call.method === "GET" && /^\/[A-Za-z]+$/.test(target.path) && target.path !== "/metadata") || posts(/\/_search$/)(target);
const isUpdate = ({ call }: FaultTarget) => call.method === "PUT" || call.method === "PATCH";
const isWrite = (target: FaultTarget) => isUpdate(target) || posts(/^(\/?|\/[A-Za-z]+|\/[A-Za-z]+\/\$book)$/)(target);
const appliesTo: Partial<Record<FaultKind, (target: FaultTarget) => boolean>> = {
  "401-once": isFhir,
  "empty-201": posts(/^\/[A-Za-z]+$/),
  "conflict-once": posts(/^\/[A-Za-z]+$/),
  "slot-taken": posts(/^\/Appointment(\/\$book)?$/),
  "slot-not-flipped": posts(/^\/Appointment$/),
  stale: isUpdate,
  "lost-write": (target) => isFhir(target) && isWrite(target),
  "partial-transaction": posts(/^\/?$/),
  unsorted: isSearch,
  "strict-accents": isSearch,
  "foreign-next": isSearch,
  "endless-next": isSearch,
  cyclic: isSearch,
  "fewer-scopes": isToken,
  "clock-skew": isToken,
};

export interface Faults {
  /** Decrements `times` of the returned fault. */
  strike(target: FaultTarget): Fault | undefined;
  answer(call: Call): Reply;
}

export function createFaults(): Faults {
  let active: Fault[] = [];
  return {
    strike(target) {
      const fault = active.find((one) => isAffected(one, target));
      if (fault?.times !== undefined) fault.times -= 1;
      active = active.filter(({ times }) => times !== 0);
      return fault;
    },
    answer(call) {
      if (call.method === "DELETE") active = [];
      else if (call.method === "POST") active = added(active, parseFault(call.body));
      else if (call.method !== "GET")
        throw new Refusal(405, "not-supported", "/faults takes GET, POST and DELETE", { Allow: "GET, POST, DELETE" });
      return {
        status: 200,
        headers: { "Content-Type": "application/json" },
        body: { faults: active, kinds: faultKinds, meanings: faultMeanings },
      };
    },
  };
}

const added = (active: Fault[], fault: Fault | undefined) => (fault ? [...active, fault] : []);

function isAffected({ kind, match }: Fault, target: FaultTarget): boolean {
  if (match?.method && match.method.toUpperCase() !== target.call.method) return false;
  if (match?.path && !target.call.path.startsWith(match.path)) return false;
  return appliesTo[kind]?.(target) ?? true;
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
