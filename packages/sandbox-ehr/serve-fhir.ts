import type { ParametersParameter } from "fhir/r4.js";
import { createStatements } from "./fhir/capability.ts";
import { book, find } from "./operations/find-book.ts";
import { type Call, Refusal, refusalReply, type Reply } from "./http/http.ts";
import { create, read, type Server, update } from "./fhir/interactions.ts";
import { match } from "./operations/match.ts";
import { patch } from "./fhir/patch.ts";
import type { FhirRequest, Operation, Personality } from "./personalities/personality.ts";
import type { Resource, ResourceType } from "./store/resource.ts";
import { type ResourceRoute, route } from "./fhir/route.ts";
import { allows, type Right } from "./auth/scopes.ts";
import { createSearch } from "./search/search.ts";
import type { TokenEndpoint } from "./auth/token.ts";
import { transaction } from "./fhir/transaction.ts";
import { transactionInward } from "./fhir/bundle.ts";
import { createDialect, sameIds } from "./fhir/dialect.ts";
import { searchInward } from "./fhir/search-terms.ts";
import type { NativeResource, Version } from "./versions/version.ts";

const jsonType = /^application\/(fhir\+json|json\+fhir|json)\b/i;

/** Throws a Refusal: 415 for a type that is not JSON, 400 for a body that is not a resource. */
function parseNative(call: Call): NativeResource {
  if (!jsonType.test(call.headers["content-type"] ?? "")) throw new Refusal(415, "not-supported", "The body must be FHIR in JSON");
  try {
    const body = JSON.parse(call.body) as NativeResource | null;
    if (typeof body === "object" && body !== null && typeof body.resourceType === "string") return body;
  } catch {}
  throw new Refusal(400, "structure", "The body is not a resource in JSON");
}

const asR4 = (call: Call, body?: object): Call => ({
  ...call,
  headers: { ...call.headers, "content-type": "application/fhir+json" },
  ...(body && { body: JSON.stringify(body) }),
});

type FhirOptions = Server & {
  personality: Personality;
  version: Version;
  tokenUrl: string;
  authUrl: string;
  /** Requests without a token may read and search; a wrong token is still refused. */
  openReads?: boolean;
};

const readOnly = ["system/*.rs"];
const operations: Record<Operation["name"], (server: Server, call: Call) => Reply | Promise<Reply>> = { match, find, book };
const rights: Record<FhirRequest["interaction"], Right> = {
  read: "read",
  "search-type": "search",
  create: "create",
  update: "update",
  patch: "update",
  operation: "read",
};

/** Handlers work in R4; version and personality translate requests and answers. */
export function serveFhir(options: FhirOptions, tokens: TokenEndpoint): (call: Call) => Promise<Reply> {
  const { personality, version, store, baseUrl, openReads = false } = options;
  const server: Server = { store, baseUrl, now: options.now };
  const abilities = personality.abilities(version.name);
  const search = createSearch(store, baseUrl);
  const dialect = createDialect(version, personality.ids ?? sameIds, baseUrl, store);
  const { statement, smartConfiguration } = createStatements({ ...options, abilities });
  const basePath = new URL(baseUrl).pathname;

  const answer = async (call: Call): Promise<Reply> => {
    const way = route(call, call.path.slice(basePath.length), dialect);
    if (way.what === "metadata") return { status: 200, body: statement };
    if (way.what === "smart-configuration")
      return { status: 200, headers: { "Content-Type": "application/json" }, body: smartConfiguration };
    const looking = openReads && call.method === "GET" && call.headers.authorization === undefined;
    const permit = permitFor(looking ? readOnly : tokens.authorize(call.headers.authorization));
    if (way.what === "transaction") return outward(await runTransaction(call, permit));
    mayDo(way);
    permit(way.what === "operation" && way.name === "book" ? "create" : rights[way.what], way.type);
    const request = requestFor(way, call);
    personality.check?.(request, store);
    const reply = await run(way, request);
    return outward(personality.reply?.(request, reply) ?? reply);
  };

  /** An unsupported interaction is refused (405) before the token's scopes are checked. */
  const mayDo = (way: ResourceRoute): void => {
    const does = abilities.interactions[way.type] ?? [];
    const can =
      way.what === "operation"
        ? abilities.operations.some((one) => one.type === way.type && one.name === way.name)
        : does.includes(way.what);
    if (can) return;
    if (way.what === "search-type" && does.length === 0) throw new Refusal(404, "not-supported", "This server has no such resource type");
    throw new Refusal(405, "not-supported", "This server does not support this interaction");
  };

  const permitFor =
    (scopes: readonly string[]) =>
    (right: Right, type: ResourceType): void => {
      const name = version.typeName(type) ?? type;
      if (!allows(scopes, name, right)) throw new Refusal(403, "forbidden", `The token does not allow to ${right} ${name}`);
    };

  const requestFor = (way: ResourceRoute, call: Call): FhirRequest => {
    const params = way.what === "search-type" ? searchInward(dialect, store, way.type, way.params) : new URLSearchParams();
    const request = { version: version.name, interaction: way.what, type: way.type, params, call };
    return way.what === "create" || way.what === "update" ? { ...request, resource: resourceInward(call, way.type) } : request;
  };

  const resourceInward = (call: Call, type: ResourceType): Resource => {
    const native = parseNative(call);
    if (native.resourceType !== version.typeName(type)) throw new Refusal(400, "structure", `The body is not a ${version.typeName(type)}`);
    return dialect.inward(native);
  };

  const run = (way: ResourceRoute, request: FhirRequest) => {
    const { call } = request;
    switch (way.what) {
      case "search-type":
        return personality.search?.(request, { store, search }) ?? { status: 200, body: search.run(way.type, request.params) };
      case "read":
        return read(server, way.type, way.id);
      case "create":
        return create(server, way.type, { ...asR4(call, request.resource), headers: conditional(call, way.type) });
      case "update":
        return update(server, way.type, way.id, asR4(call, request.resource));
      case "patch":
        return patch(server, way.type, way.id, call);
      case "operation":
        return operations[way.name](server, asR4(call, parametersInward(parseNative(call))));
    }
  };

  /** A server that does not promise conditional create ignores If-None-Exist, as real ones do. */
  const conditional = (call: Call, type: ResourceType): Call["headers"] => {
    const { "if-none-exist": asked, ...headers } = asR4(call).headers;
    if (typeof asked !== "string" || !abilities.conditionalCreate) return headers;
    return { ...headers, "if-none-exist": String(searchInward(dialect, store, type, new URLSearchParams(asked))) };
  };

  const parametersInward = (native: NativeResource): object => {
    if (!Array.isArray(native.parameter)) throw new Refusal(400, "structure", "The body is not a Parameters resource with parameters");
    const parameter = (native.parameter as ParametersParameter[]).map((one) => ({
      ...one,
      ...(one.resource && { resource: dialect.inward(one.resource as unknown as NativeResource) }),
      ...(one.valueReference?.reference && {
        valueReference: { ...one.valueReference, reference: dialect.referenceInward(one.valueReference.reference) },
      }),
    }));
    return { ...native, parameter };
  };

  const runTransaction = (call: Call, permit: (right: Right, type: ResourceType) => void): Promise<Reply> => {
    if (!abilities.transaction) throw new Refusal(405, "not-supported", "This server does not support transactions");
    return transaction(server, asR4(call, transactionInward(dialect, store, parseNative(call))), (right, type) => {
      if (!abilities.interactions[type]?.includes(right))
        throw new Refusal(405, "not-supported", "This server does not support this interaction");
      permit(right, type);
    });
  };

  const outward = ({ status, headers, body }: Reply): Reply => {
    const location = headers?.Location && { Location: dialect.urlOutward(headers.Location) };
    return { status, headers: { ...headers, ...location }, ...(typeof body === "object" && { body: dialect.outward(body) }) };
  };

  return async (call) => {
    const reply = await answer(call).catch((error: unknown) =>
      refusalReply(error instanceof Refusal ? (personality.refuse?.(error) ?? error) : error, personality.outcome),
    );
    return { ...reply, headers: { "Content-Type": `${version.mediaType}; charset=utf-8`, ...reply.headers } };
  };
}
