import { randomUUID } from "node:crypto";
import type { Appointment } from "fhir/r4.js";
import { bookingChanges } from "./booking.ts";
import { writableTypes } from "./capability.ts";
import type { Call, Reply } from "./http.ts";
import { Refusal } from "./refusal.ts";
import type { Resource, ResourceType, Stored } from "./resource.ts";
import { matching } from "./search.ts";
import type { Store } from "./store.ts";

export interface Server {
  store: Store;
  baseUrl: string;
  now: () => Date;
}

export function read({ store }: Server, type: ResourceType, id: string): Reply {
  const resource = store.get(type, id);
  if (!resource) throw new Refusal(404, "not-found", `There is no ${type} with this id`);
  return { status: 200, headers: versionHeaders(resource), body: resource };
}

/** Create, or with If-None-Exist only when the search it carries finds nothing. */
export async function create(server: Server, type: ResourceType, call: Call): Promise<Reply> {
  const wanted = parseResource(type, call);
  const existing = findExisting(server.store, type, call.headers["if-none-exist"]);
  if (existing) return { status: 200, headers: versionHeaders(existing), body: existing };
  const stored = await write(server, undefined, { ...wanted, id: randomUUID() });
  const location = `${server.baseUrl}/${type}/${stored.id}/_history/${stored.meta.versionId}`;
  return written(201, stored, call, { Location: location });
}

export async function update(server: Server, type: ResourceType, id: string, call: Call): Promise<Reply> {
  const wanted = parseResource(type, call);
  if (wanted.id !== id) throw new Refusal(400, "invalid", "The id in the body is not the id in the address");
  const before = server.store.get(type, id);
  if (!before) throw new Refusal(404, "not-found", `There is no ${type} with this id`);
  const ifMatch = call.headers["if-match"];
  if (ifMatch !== undefined && ifMatch !== etag(before)) throw new Refusal(412, "conflict", "The resource has changed since it was read");
  return written(200, await write(server, before, wanted), call, {});
}

/** Check and change happen without a pause between them, so of two bookings for one slot one is refused. */
async function write({ store, now }: Server, before: Stored | undefined, after: Resource): Promise<Stored> {
  const changes = after.resourceType === "Appointment" ? bookingChanges(store, before as Appointment | undefined, after, now()) : [after];
  const [stored] = await store.commit(changes);
  return stored!;
}

function parseResource(type: ResourceType, call: Call): Resource {
  if (!writableTypes.includes(type)) throw new Refusal(405, "not-supported", `${type} is read only here`, { Allow: "GET" });
  if (!/^application\/(fhir\+)?json\b/i.test(call.headers["content-type"] ?? ""))
    throw new Refusal(415, "not-supported", "The body must be application/fhir+json");
  const body = parseJson(call.body) as Resource | undefined;
  if (body?.resourceType !== type) throw new Refusal(400, "structure", `The body is not a ${type}`);
  if (hasEmptyArray(body)) throw new Refusal(400, "structure", "An array must not be empty: leave the element out");
  if (body.resourceType === "Patient" && !body.name?.some(({ family }) => family))
    throw new Refusal(422, "required", "A patient needs a family name");
  if (body.resourceType === "Appointment" && !(body.status && Array.isArray(body.participant)))
    throw new Refusal(422, "required", "An appointment needs a status and participants");
  return body;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "structure", "The body is not JSON");
  }
}

/** https://hl7.org/fhir/R4/json.html: "an array can't be empty". */
const hasEmptyArray = (value: unknown): boolean =>
  typeof value === "object" && value !== null && ((Array.isArray(value) && value.length === 0) || Object.values(value).some(hasEmptyArray));

function findExisting(store: Store, type: ResourceType, ifNoneExist: string | string[] | undefined): Stored | undefined {
  if (typeof ifNoneExist !== "string") return undefined;
  const found = matching(store, type, new URLSearchParams(ifNoneExist));
  if (found.length > 1) throw new Refusal(412, "multiple-matches", "If-None-Exist finds more than one");
  return found[0];
}

const etag = ({ meta }: Stored) => `W/"${meta.versionId}"`;
const versionHeaders = (resource: Stored) => ({ ETag: etag(resource), "Last-Modified": new Date(resource.meta.lastUpdated).toUTCString() });

function written(status: number, stored: Stored, call: Call, headers: Record<string, string>): Reply {
  const minimal = /\breturn=minimal\b/.test(String(call.headers.prefer ?? ""));
  return { status, headers: { ...headers, ...versionHeaders(stored) }, ...(minimal ? {} : { body: stored }) };
}
