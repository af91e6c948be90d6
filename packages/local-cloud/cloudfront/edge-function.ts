import { randomUUID } from "node:crypto";
import { constants, createContext, Script } from "node:vm";
import type { HttpRequest, HttpResponse } from "../lib/message.ts";
import { StartError } from "../lib/run.ts";
import type { DistributionSpec, EdgeFunctionSpec } from "../template/edge/distribution-types.ts";

type Field = { value: string; multiValue?: { value: string }[] };
type Fields = Record<string, Field>;
type EdgeRequest = { method: string; uri: string; querystring: Fields; headers: Fields; cookies: Fields };
type EdgeResponse = {
  statusCode: number;
  statusDescription?: string;
  headers?: Fields;
  cookies?: Record<string, Field & { attributes?: string }>;
  body?: string | { encoding: "text" | "base64"; data: string };
};

export type EdgeFunction = {
  onRequest(request: HttpRequest): Promise<{ request: HttpRequest } | { response: HttpResponse }>;
  onResponse(request: HttpRequest, response: HttpResponse): Promise<HttpResponse>;
};

/** CloudFront's limit is about a millisecond; this one only stops an endless loop. */
const defaultTimeoutMs = 3000;

/** Compiles a CloudFront Function. Source: "CloudFront Functions event structure" in the Developer Guide. */
export function compileEdgeFunction(
  { name, code }: EdgeFunctionSpec,
  distribution: Pick<DistributionSpec, "id" | "domainName">,
  timeoutMs = defaultTimeoutMs,
): EdgeFunction {
  const invoke = prepare(name, code, timeoutMs);

  const run = async <T>(eventType: string, sourceIp: string, more: object): Promise<T> => {
    const event = {
      version: "1.0",
      context: { distributionDomainName: distribution.domainName, distributionId: distribution.id, eventType, requestId: randomUUID() },
      viewer: { ip: sourceIp },
      ...more,
    };
    return JSON.parse(await invoke(JSON.stringify(event))) as T;
  };

  return {
    async onRequest(request) {
      const before = edgeRequest(request);
      const after = await run<EdgeRequest | EdgeResponse>("viewer-request", request.sourceIp, { request: before });
      return "statusCode" in after ? { response: httpResponse(after) } : { request: merged(request, before, after) };
    },
    async onResponse(request, response) {
      const before = { statusCode: response.status, headers: fieldsOf(response.headers.filter(([key]) => key !== "set-cookie")) };
      const after = await run<EdgeResponse>("viewer-response", request.sourceIp, { request: edgeRequest(request), response: before });
      const cookies = response.headers.filter(([key]) => key === "set-cookie");
      return {
        status: after.statusCode,
        headers: [...linesOf(after.headers ?? {}), ...cookies],
        body: after.body === undefined ? response.body : bodyOf(after.body),
      };
    },
  };
}

/**
 * State does not survive an invocation at the edge: the code is the body of a function, so that its variables are new each time, in a
 * realm whose global object is frozen. A new realm for each request would cost a millisecond.
 */
function prepare(name: string, code: string, timeoutMs: number): (event: string) => Promise<string> {
  const body = `(localEvent) => {${code}\n;return (async () => JSON.stringify(await handler(JSON.parse(localEvent))))();}`;
  const script = compile(name, body);
  const world = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } });
  const inbox = { event: "" };
  Object.assign(world, { console: { log() {} }, inbox, edgeFunction: script.runInContext(world) });
  Object.freeze(world);
  const call = new Script("edgeFunction(inbox.event)", { filename: `${name}.js` });
  return (event) => {
    inbox.event = event;
    return call.runInContext(world, { timeout: timeoutMs }) as Promise<string>;
  };
}

function compile(name: string, source: string): Script {
  try {
    return new Script(source, { filename: `${name}.js` });
  } catch (cause) {
    throw new StartError(`The CloudFront function ${name} does not compile: ${(cause as Error).message}.`, { cause });
  }
}

function fieldsOf(lines: [string, string][]): Fields {
  const fields: Fields = {};
  for (const [name, value] of lines) {
    const known = fields[name];
    fields[name] = known ? { value: known.value, multiValue: [...(known.multiValue ?? [{ value: known.value }]), { value }] } : { value };
  }
  return fields;
}

const linesOf = (fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([name, { value, multiValue }]) =>
    (multiValue ?? [{ value }]).map((one): [string, string] => [name.toLowerCase(), one.value]),
  );

const pairsOf = (text: string, separator: RegExp): [string, string][] =>
  text.split(separator).flatMap((pair): [string, string][] => {
    const [name = "", ...value] = pair.split("=");
    return name ? [[name.trim(), value.join("=")]] : [];
  });

function edgeRequest({ method, path, query, headers }: HttpRequest): EdgeRequest {
  const cookies = headers.filter(([name]) => name === "cookie").map(([, value]) => value);
  return {
    method,
    uri: path,
    querystring: fieldsOf(pairsOf(query, /&/)),
    headers: fieldsOf(headers.filter(([name]) => name !== "cookie")),
    cookies: fieldsOf(pairsOf(cookies.join(";"), /;/)),
  };
}

function merged(request: HttpRequest, before: EdgeRequest, after: EdgeRequest): HttpRequest {
  const changed = (part: "querystring" | "cookies"): boolean => JSON.stringify(before[part]) !== JSON.stringify(after[part]);
  const host = request.headers.filter(([name]) => name === "host");
  const cookies: [string, string][] = changed("cookies")
    ? [
        [
          "cookie",
          linesOf(after.cookies)
            .map((pair) => pair.join("="))
            .join("; "),
        ],
      ]
    : request.headers.filter(([name]) => name === "cookie");
  return {
    ...request,
    path: after.uri,
    query: changed("querystring")
      ? linesOf(after.querystring)
          .map((pair) => pair.join("="))
          .join("&")
      : request.query,
    headers: [...host, ...linesOf(after.headers).filter(([name]) => name !== "host"), ...cookies],
  };
}

const bodyOf = (body: EdgeResponse["body"]): Buffer =>
  typeof body === "object" ? Buffer.from(body.data, body.encoding === "base64" ? "base64" : "utf8") : Buffer.from(body ?? "");

const httpResponse = ({ statusCode, headers = {}, cookies = {}, body }: EdgeResponse): HttpResponse => ({
  status: statusCode,
  headers: [
    ...linesOf(headers),
    ...Object.entries(cookies).map(([name, { value, attributes }]): [string, string] => [
      "set-cookie",
      [`${name}=${value}`, ...(attributes ? [attributes] : [])].join("; "),
    ]),
  ],
  body: bodyOf(body),
});
