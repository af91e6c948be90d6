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

/** Each parameter at most once; an unknown name throws a Refusal. https://hl7.org/fhir/R4/parameters.html */
export function readParameters(call: Call, known: readonly string[]): Map<string, ParametersParameter> {
  const parsed = parametersSchema.safeParse(parseBody(call));
  if (!parsed.success) throw new Refusal(400, "structure", "The body is not a Parameters resource");
  const byName = new Map<string, ParametersParameter>();
  for (const parameter of parsed.data.parameter as ParametersParameter[]) {
    const { name } = parameter;
    if (!known.includes(name)) throw new Refusal(400, "not-supported", `The operation has no parameter "${name}"`);
    if (byName.has(name)) throw new Refusal(400, "invalid", `The parameter "${name}" is repeated`);
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
 * Create, or conditional create with If-None-Exist. A CoverageEligibilityRequest gets its response at once, found by
 * `CoverageEligibilityResponse?request=`.
 */
export async function create(server: Server, type: ResourceType, call: Call): Promise<Reply> {
  const body = parseBody(call);
  const found = existing(server.store, type, headerOf(call, "if-none-exist"));
  if (found) return { status: 200, headers: versionHeaders(found), body: found };
  // No await between check and change, so that only one of two bookings for a slot succeeds
  const draft = server.store.begin();
  const stored = putNew(draft, type, body, server.now());
  checkReferences(draft, stored);
  await draft.commit();
  return written(201, stored, call, { Location: versionUrl(server, stored) });
}

/** With If-Match only on top of that version (412). */
export async function update(server: Server, type: ResourceType, id: string, call: Call): Promise<Reply> {
  const body = parseBody(call);
  const draft = server.store.begin();
  const stored = putChanged(draft, type, id, body, server.now(), headerOf(call, "if-match"));
  checkReferences(draft, stored);
  await draft.commit();
  return written(200, stored, call, {});
}

/** Throws a Refusal: 415 for another content type, 400 for invalid JSON. */
export function parseBody(call: Call, mediaType = /^application\/(fhir\+)?json\b/i): unknown {
  if (!mediaType.test(call.headers["content-type"] ?? "")) throw new Refusal(415, "not-supported", "This content type is not supported");
  try {
    return JSON.parse(call.body);
  } catch {
    throw new Refusal(400, "structure", "The body is not JSON");
  }
}

export function headerOf({ headers }: Call, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

export const versionUrl = ({ baseUrl }: Server, { resourceType, id, meta }: Stored) =>
  `${baseUrl}/${resourceType}/${id}/_history/${meta.versionId}`;

const versionHeaders = (resource: Stored) => ({ ETag: etag(resource), "Last-Modified": new Date(resource.meta.lastUpdated).toUTCString() });

export function written(status: number, stored: Stored, call: Call, headers: Record<string, string>): Reply {
  const minimal = /\breturn=minimal\b/.test(String(call.headers.prefer ?? ""));
  return { status, headers: { ...headers, ...versionHeaders(stored) }, ...(minimal ? {} : { body: stored }) };
}
