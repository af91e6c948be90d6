import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Bundle, FhirResource, Patient } from "fhir/r4.js";
import type { Fault, FaultKind } from "./faults.ts";
import { asBytes, type Call, type Reply } from "../http/http.ts";
import type { TokenFault } from "../auth/token.ts";

/** Part of every vendor error under a fault, so that tests can find where it leaks. */
export const vendorMessage = "Vendor stack trace: com.example.ehr.Dispatcher:4711 refused DOE^JANE";

const htmlError = `<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1><pre>${vendorMessage}</pre></body></html>`;
const hugeBytes = 50_000_000;
const pieceBytes = 65_536;
const depth = 10_000;

const outcome = (code: string): object => ({
  resourceType: "OperationOutcome",
  issue: [{ severity: "error", code, diagnostics: vendorMessage }],
});

const replies: Partial<Record<FaultKind, () => Reply>> = {
  "429": () => ({ status: 429, headers: { "Retry-After": "1" }, body: outcome("throttled") }),
  "429-no-retry-after": () => ({ status: 429, headers: { RateLimit: '"fhir";r=0;t=1' }, body: outcome("throttled") }),
  "503": () => ({ status: 503, body: outcome("transient") }),
  html: () => ({ status: 502, headers: { "Content-Type": "text/html" }, body: htmlError }),
  "401-once": () => ({ status: 401, headers: { "WWW-Authenticate": "Bearer" }, body: outcome("login") }),
  "conflict-once": () => ({ status: 409, body: outcome("conflict") }),
  huge: () => ({ status: 200, headers: { "Content-Type": "application/fhir+json" }, body: Readable.from(hugeBundle()) }),
  deep: () => ({ status: 200, headers: { "Content-Type": "application/fhir+json" }, body: "[".repeat(depth) + "]".repeat(depth) }),
};

/** Generated while it is sent; its text exceeds every reasonable limit. */
function* hugeBundle(): Generator<Buffer> {
  yield Buffer.from('{"resourceType":"Bundle","type":"searchset","entry":[],"x":"');
  for (let sent = 0; sent < hugeBytes; sent += pieceBytes) yield Buffer.alloc(pieceBytes, "x");
  yield Buffer.from('"}');
}

const withoutBody = ({ Location = "", ETag = "" }: Record<string, string> = {}) => ({ Location, ETag });

/** Faults that change a successful answer; errors stay. */
const corruptions: Partial<Record<FaultKind, (reply: Reply, url: string) => Reply>> = {
  "empty-201": (reply) => (reply.status === 201 ? { status: 201, headers: withoutBody(reply.headers) } : reply),
  "wrong-type": (reply) => ({ ...reply, headers: { ...reply.headers, "Content-Type": "text/plain" } }),
  "wrong-charset": (reply) => ({
    ...reply,
    headers: { ...reply.headers, "Content-Type": "application/fhir+json; charset=utf-16" },
    body: Buffer.from(asBytes(textOf(reply.body)).toString(), "utf16le"),
  }),
  "foreign-next": (reply) => withNext(reply, "http://records.elsewhere.example/fhir/next"),
  "endless-next": (reply, url) => withNext(reply, url),
  "partial-transaction": (reply) => ({ ...reply, body: { ...(reply.body as Bundle), type: "transaction-response" } }),
  cyclic: (reply) => withEntries(reply, (resource) => ({ ...resource, contained: [cyclicResource], extension: [cyclicReference] })),
};

const cyclicReference = { url: "http://sandbox-ehr.example/circle", valueReference: { reference: "#circle" } };
const cyclicResource = {
  resourceType: "Basic",
  id: "circle",
  code: { text: "circle" },
  subject: { reference: "#circle" },
  extension: [cyclicReference],
};

function withVendorMessage(reply: Reply): Reply {
  const body = reply.body as { issue?: object[]; error_description?: string } | undefined;
  const said = (words = "") => `${words} ${vendorMessage}`.trim();
  if (body?.error_description !== undefined) return { ...reply, body: { ...body, error_description: said(body.error_description) } };
  if (!Array.isArray(body?.issue)) return reply;
  const issue = body.issue.map((one: { diagnostics?: string }) => ({ ...one, diagnostics: said(one.diagnostics) }));
  return { ...reply, body: { ...body, issue } };
}

const textOf = (body: Reply["body"]) => (body instanceof Readable ? undefined : body);

function withNext(reply: Reply, url: string): Reply {
  const bundle = reply.body as Bundle;
  const link = (bundle.link ?? []).filter(({ relation }) => relation !== "next");
  return { ...reply, body: { ...bundle, link: [...link, { relation: "next", url }] } };
}

function withEntries(reply: Reply, change: (resource: object) => object): Reply {
  const bundle = reply.body as Bundle;
  const entry = (bundle.entry ?? []).map((one) => (one.resource ? { ...one, resource: change(one.resource) } : one));
  return { ...reply, body: { ...bundle, entry } };
}

const defaultSlowMs = 3000;

/** "hang" does the work and never answers; "down" and "lost-write" cut the connection. */
export async function applyFault(fault: Fault | undefined, url: string, answer: () => Promise<Reply>): Promise<Reply | "cut" | "silence"> {
  if (!fault) return answer();
  const { kind } = fault;
  if (kind === "down") return "cut";
  if (kind === "slow") await sleep(fault.delayMs ?? defaultSlowMs);
  const instead = replies[kind]?.();
  if (instead) return instead;
  const reply = await answer();
  if (kind === "hang") return "silence";
  if (kind === "lost-write") return "cut";
  return reply.status < 300 ? (corruptions[kind]?.(reply, url) ?? reply) : withVendorMessage(reply);
}

const namesIn = ({ name = [] }: Patient) => ({
  family: name.flatMap(({ family }) => family ?? []),
  given: name.flatMap(({ given = [] }) => given),
  text: name.flatMap(({ text }) => text ?? []),
});

/** Drops name matches that differ in accents. */
export function matchAccents(call: Call, reply: Reply): Reply {
  if (reply.status !== 200) return reply;
  const params = new URLSearchParams(call.method === "POST" ? call.body : call.query);
  const asked = ["name", "family", "given"].flatMap((param) => params.getAll(param).map((value) => ({ param, starts: value.split(",") })));
  const isMeant = (resource: FhirResource | undefined): boolean => {
    if (resource?.resourceType !== "Patient") return true;
    const { family, given, text } = namesIn(resource);
    const inParam: Record<string, string[]> = { family, given, name: [...family, ...given, ...text] };
    return asked.every(({ param, starts }) =>
      inParam[param]?.some((found) => starts.some((start) => found.toLowerCase().startsWith(start.toLowerCase()))),
    );
  };
  const bundle = reply.body as Bundle;
  const entry = bundle.entry?.filter(({ resource }) => isMeant(resource as FhirResource | undefined));
  return { ...reply, body: { ...bundle, entry } };
}

function withoutOrder(call: Call): Call {
  const query = new URLSearchParams(call.query);
  query.delete("_sort");
  const form = new URLSearchParams(call.body);
  form.delete("_sort");
  return { ...call, query, ...(call.method === "POST" ? { body: form.toString() } : {}) };
}

export function applyFaultToCall(kind: FaultKind | undefined, call: Call): Call {
  if (kind === "stale") return { ...call, headers: { ...call.headers, "if-match": 'W/"0"' } };
  if (kind === "unsorted") return withoutOrder(call);
  return kind === "partial-transaction" ? { ...call, body: call.body.replace(/("type"\s*:\s*)"transaction"/, '$1"batch"') } : call;
}

export const tokenFaultOf = (kind: FaultKind | undefined): TokenFault => ({
  fewerScopes: kind === "fewer-scopes",
  aheadSeconds: kind === "clock-skew" ? 600 : 0,
});
