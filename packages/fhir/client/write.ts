import { isAppError } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import type { FhirResource } from "fhir/r4.js";
import { ehrError, responseError } from "../http/errors.ts";
import type { CallOptions } from "../http/exchange.ts";
import { applyChange, originalOf } from "../versions/versions.ts";
import { type Connection, idInLocation, resourceUrl } from "./connection.ts";
import { createGuardedPatch, plain } from "./patch.ts";
import type { FhirClient } from "./types.ts";

/** The received ETag, else built from the version id (https://hl7.org/fhir/R4/http.html#versioning). */
const etagOf = (resource: FhirResource): string | undefined =>
  originalOf(resource)?.etag ?? (resource.meta?.versionId === undefined ? undefined : `W/"${resource.meta.versionId}"`);

function requireWritable({ version }: Connection, type: string): void {
  if (version.isEmbedded(type)) throw ehrError("ehr_unsupported");
}

export const writeHeaders = ({ version }: Connection): Record<string, string> => ({
  "Content-Type": version.mediaType,
  Prefer: "return=representation",
});

/** The stored resource: from the response, else by a read. The write has happened, so a failing read is not an error. */
async function storedResource<T extends FhirResource>(
  connection: Connection,
  response: OutboundResponse,
  sent: T,
  knownId: string | undefined,
  options: CallOptions,
): Promise<T> {
  const { ctx, version } = connection;
  const type: T["resourceType"] = sent.resourceType;
  const error = responseError(response, "write", ctx.clock());
  if (error) throw error;
  const returned = parseReturned(connection, response, type);
  if (returned?.id !== undefined) return returned as T;
  const id = idInLocation(response.headers.location, version.nativeType(type)) ?? knownId;
  // A page that is not FHIR, such as a proxy's sign-in page, does not confirm the write.
  const isForeign = returned === undefined && response.text().trim() !== "" && !isJson(response);
  if (id === undefined || isForeign) throw ehrError("ehr_unknown_outcome");
  return connection.read<T>(type, id, options).catch((error: unknown) => {
    if (isAppError(error)) return { ...sent, id };
    throw error;
  });
}

function parseReturned(connection: Connection, response: OutboundResponse, type: string): FhirResource | undefined {
  try {
    return connection.parseResource(response, type);
  } catch (error) {
    if (isAppError(error, "ehr_invalid")) return undefined;
    throw error;
  }
}

function isJson(response: OutboundResponse): boolean {
  try {
    return typeof response.json() === "object" && /json/i.test(response.headers["content-type"] ?? "json");
  } catch {
    return false;
  }
}

export const create =
  (connection: Connection): FhirClient["create"] =>
  async (resource, { ifNoneExist, ...options } = {}) => {
    const { baseUrl, version, send } = connection;
    const type = resource.resourceType;
    requireWritable(connection, type);
    const conditional = ifNoneExist !== undefined && (await connection.capability(options)).conditionalCreate(type);
    const request = {
      url: `${baseUrl}/${version.nativeType(type)}`,
      method: "POST",
      headers: { ...writeHeaders(connection), ...(conditional && { "If-None-Exist": ifNoneExist }) },
      body: JSON.stringify(version.toNative(resource)),
      interaction: `create ${type}`,
      effect: "write",
      ...options,
    } as const;
    const first = await send(request);
    // Some servers answer 409 to concurrent writes; nothing was created, so it is safe to retry once.
    const response = first.status === 409 ? await send(request) : first;
    return storedResource(connection, response, resource, undefined, options);
  };

export const update =
  (connection: Connection): FhirClient["update"] =>
  async (resource, { ifMatch = etagOf(resource), ...options } = {}) => {
    requireWritable(connection, resource.resourceType);
    return put(connection, resource, connection.version.toNative(resource), { ...options, ifMatch });
  };

async function put<T extends FhirResource>(
  connection: Connection,
  resource: T,
  native: object,
  { ifMatch, ...options }: CallOptions & { ifMatch: string | undefined },
): Promise<T> {
  const { baseUrl, version, send } = connection;
  const type: T["resourceType"] = resource.resourceType;
  const id = resource.id ?? "";
  const response = await send({
    url: resourceUrl(baseUrl, version.nativeType(type), id),
    method: "PUT",
    headers: { ...writeHeaders(connection), ...(ifMatch !== undefined && { "If-Match": ifMatch }) },
    body: JSON.stringify(native),
    interaction: `update ${type}`,
    effect: "write",
    ...options,
  });
  return storedResource(connection, response, resource, id, options);
}

/** The ETag to replace. A server without versions is asked for the current resource, which must not differ from `before`. */
async function currentEtag(connection: Connection, before: FhirResource, options: CallOptions): Promise<string | undefined> {
  const known = etagOf(before);
  if (known !== undefined) return known;
  const current = await connection.read(before.resourceType, before.id ?? "", options);
  const [earlier, later] = [before, current].map((one) => ({ ...nativeOf(connection, one), meta: undefined }));
  if (earlier && later && createGuardedPatch(earlier, later).length > 0) throw ehrError("ehr_conflict");
  return etagOf(current);
}

const nativeOf = ({ version }: Connection, resource: FhirResource): object => originalOf(resource)?.native ?? version.toNative(resource);

/** Sends the change in the server's native version, with unchanged parts as received; sends nothing when nothing differs. */
export const change =
  (connection: Connection): FhirClient["change"] =>
  async (before, after, options = {}) => {
    const { baseUrl, version, send } = connection;
    const type = before.resourceType;
    const { supports } = await connection.capability(options);
    const canPut = supports(type, "update");
    if (!canPut && !supports(type, "patch")) throw ehrError("ehr_unsupported");
    const native = nativeOf(connection, before);
    const wanted = applyChange(native, plain(version.toNative(before)), plain(version.toNative(after))) as object;
    const patch = createGuardedPatch(native, wanted);
    if (patch.length === 0) return before;
    const ifMatch = await currentEtag(connection, before, options);
    if (canPut) return put(connection, after, wanted, { ...options, ifMatch });
    const id = before.id ?? "";
    const response = await send({
      url: resourceUrl(baseUrl, version.nativeType(type), id),
      method: "PATCH",
      headers: {
        ...writeHeaders(connection),
        "Content-Type": "application/json-patch+json",
        ...(ifMatch !== undefined && { "If-Match": ifMatch }),
      },
      body: JSON.stringify(patch),
      interaction: `patch ${type}`,
      effect: "write",
      ...options,
    });
    return storedResource(connection, response, after, id, options);
  };
