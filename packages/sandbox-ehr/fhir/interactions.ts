import type { ParametersParameter } from "fhir/r4.js";
import * as z from "zod/mini";
import { type Call, Refusal, type Reply } from "../http/http.ts";
import type { ResourceType, Stored } from "../store/resource.ts";
import type { Store } from "../store/store.ts";
import { checkReferences } from "./validate.ts";
import { current, etag, existing, putChanged, putNew } from "./write.ts";

const parametersSchema = z.object({
  resourceType: z.literal("Parameters"),
  parameter: z.array(z.looseObject({ name: z.string() })),
});

/** The parameters of an operation by name, each at most once; an unknown name is refused. https://hl7.org/fhir/R4/parameters.html */
export function readParameters(call: Call, known: readonly string[]): Map<string, ParametersParameter> {
  const parsed = parametersSchema.safeParse(parseBody(call));
  if (!parsed.success) throw new Refusal(400, "structure", "The body is not a Parameters resource");
  const byName = new Map<string, ParametersParameter>();
  for (const parameter of parsed.data.parameter as ParametersParameter[]) {
    const { name } = parameter;
    if (!known.includes(name)) throw new Refusal(400, "not-supported", `The operation has no parameter "${name}"`);
    if (byName.has(name)) throw new Refusal(400, "invalid", `The parameter "${name}" comes twice`);
    byName.set(name, parameter);
  }
  return byName;
}

export interface Server {
  store: Store;
  baseUrl: string;
  now: () => Date;
}

export function read({ store }: Server, type: ResourceType, id: string): Reply {
  const resource = current(store, type, id);
  return { status: 200, headers: versionHeaders(resource), body: resource };
}

/**
 * Create, or with If-None-Exist only when the search it carries finds nothing. A CoverageEligibilityRequest is answered at once:
 * its response is found by `CoverageEligibilityResponse?request=`.
 */
export async function create(server: Server, type: ResourceType, call: Call): Promise<Reply> {
  const body = parseBody(call);
  const found = existing(server.store, type, headerOf(call, "if-none-exist"));
  if (found) return { status: 200, headers: versionHeaders(found), body: found };
  // Check and change happen without a pause between them, so of two bookings for one slot one is refused.
  const draft = server.store.begin();
  const stored = putNew(draft, type, body, server.now());
  checkReferences(draft, stored);
  await draft.commit();
  return written(201, stored, call, { Location: versionUrl(server, stored) });
}

/** Update of what is there; with If-Match only of that version (412). */
export async function update(server: Server, type: ResourceType, id: string, call: Call): Promise<Reply> {
  const body = parseBody(call);
  const draft = server.store.begin();
  const stored = putChanged(draft, type, id, body, server.now(), headerOf(call, "if-match"));
  checkReferences(draft, stored);
  await draft.commit();
  return written(200, stored, call, {});
}

/** The JSON of a body; 415 when it says to be something else, 400 when it is not JSON. */
export function parseBody(call: Call, mediaType = /^application\/(fhir\+)?json\b/i): unknown {
  if (!mediaType.test(call.headers["content-type"] ?? "")) throw new Refusal(415, "not-supported", "This content type is not taken here");
  try {
    return JSON.parse(call.body);
  } catch {
    throw new Refusal(400, "structure", "The body is not JSON");
  }
}

/** A header that may come once. */
export function headerOf({ headers }: Call, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

export const versionUrl = ({ baseUrl }: Server, { resourceType, id, meta }: Stored) =>
  `${baseUrl}/${resourceType}/${id}/_history/${meta.versionId}`;

const versionHeaders = (resource: Stored) => ({ ETag: etag(resource), "Last-Modified": new Date(resource.meta.lastUpdated).toUTCString() });

/** What a write answers: the resource, unless the client prefers none. */
export function written(status: number, stored: Stored, call: Call, headers: Record<string, string>): Reply {
  const minimal = /\breturn=minimal\b/.test(String(call.headers.prefer ?? ""));
  return { status, headers: { ...headers, ...versionHeaders(stored) }, ...(minimal ? {} : { body: stored }) };
}
