import { isAppError } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import type { FhirResource } from "fhir/r4.js";
import { idInLocation, resourceUrl } from "./resource-url.ts";
import type { Connection } from "./connection.ts";
import { ehrError, responseError } from "../http/errors.ts";
import { patchOf, plain } from "./patch.ts";
import { originalOf, applyChange } from "../versions/original-resource.ts";
import type { CallOptions } from "../http/exchange.ts";
import type { FhirClient } from "./types.ts";

/** The ETag of a version: as it came, else as FHIR makes it of the version's id (https://hl7.org/fhir/R4/http.html#versioning). */
const versionTag = (resource: FhirResource): string | undefined =>
  originalOf(resource)?.etag ?? (resource.meta?.versionId === undefined ? undefined : `W/"${resource.meta.versionId}"`);

/** What is but a part of another record here is not written. */
function checkWritable({ version }: Connection, type: string): void {
  if (version.isEmbedded(type)) throw ehrError("ehr_unsupported");
}

export const writeHeaders = ({ version }: Connection): Record<string, string> => ({
  "Content-Type": version.mediaType,
  Prefer: "return=representation",
});

/** What the server stored: its answer, else what it shows when asked for it. The write has happened, so failing to see it is no failure. */
async function stored<T extends FhirResource>(
  connection: Connection,
  response: OutboundResponse,
  sent: T,
  knownId: string | undefined,
  options: CallOptions,
): Promise<T> {
  const { ctx, version } = connection;
  const type: T["resourceType"] = sent.resourceType;
  const refusal = responseError(response, "write", ctx.clock());
  if (refusal) throw refusal;
  const answered = seen(connection, response, type);
  if (answered?.id !== undefined) return answered as T;
  const id = idInLocation(response.headers.location, version.nativeType(type)) ?? knownId;
  // A page that is not FHIR, such as a proxy's sign-in, says nothing about the write.
  const foreign = answered === undefined && response.text().trim() !== "" && !isJson(response);
  if (id === undefined || foreign) throw ehrError("ehr_unknown_outcome");
  return connection.read<T>(type, id, options).catch((error: unknown) => {
    if (isAppError(error)) return { ...sent, id };
    throw error;
  });
}

/** The resource in the answer, if it is one that we understand. */
function seen(connection: Connection, response: OutboundResponse, type: string): FhirResource | undefined {
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

/** A new resource; a condition is sent only where the server promises to heed it. */
export const create =
  (connection: Connection): FhirClient["create"] =>
  async (resource, { ifNoneExist, ...options } = {}) => {
    const { baseUrl, version, send } = connection;
    const type = resource.resourceType;
    checkWritable(connection, type);
    const conditional = ifNoneExist !== undefined && (await connection.capability(options)).conditionalCreate(type);
    const request = {
      url: `${baseUrl}/${version.nativeType(type)}`,
      method: "POST",
      headers: { ...writeHeaders(connection), ...(conditional && { "If-None-Exist": ifNoneExist }) },
      body: JSON.stringify(version.toNative(resource)),
      operation: `create ${type}`,
      effect: "write",
      ...options,
    } as const;
    const first = await send(request);
    // Some servers refuse like this whatever is written at the same moment as something else; nothing was made.
    const response = first.status === 409 ? await send(request) : first;
    return stored(connection, response, resource, undefined, options);
  };

/** The whole resource in the place of the version that `ifMatch` names. */
export const update =
  (connection: Connection): FhirClient["update"] =>
  async (resource, { ifMatch = versionTag(resource), ...options } = {}) => {
    checkWritable(connection, resource.resourceType);
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
    operation: `update ${type}`,
    effect: "write",
    ...options,
  });
  return stored(connection, response, resource, id, options);
}

/** What may be replaced: the record as it was read, under its version. A server that tells no versions is asked what stands there now. */
async function versionToReplace(connection: Connection, before: FhirResource, options: CallOptions): Promise<string | undefined> {
  const known = versionTag(before);
  if (known !== undefined) return known;
  const now = await connection.read(before.resourceType, before.id ?? "", options);
  const [was, is] = [before, now].map((one) => ({ ...nativeOf(connection, one), meta: undefined }));
  if (was && is && patchOf(was, is).length > 0) throw ehrError("ehr_conflict");
  return versionTag(now);
}

const nativeOf = ({ version }: Connection, resource: FhirResource): object => originalOf(resource)?.native ?? version.toNative(resource);

/** By PUT, else by JSON Patch, in the server's own version of FHIR; what is not to be changed stays to the letter, and nothing is sent when nothing differs. */
export const change =
  (connection: Connection): FhirClient["change"] =>
  async (before, after, options = {}) => {
    const { baseUrl, version, send } = connection;
    const type = before.resourceType;
    const { supports } = await connection.capability(options);
    const ways = [supports(type, "update"), supports(type, "patch")];
    if (!ways.includes(true)) throw ehrError("ehr_unsupported");
    const native = nativeOf(connection, before);
    const wanted = applyChange(native, plain(version.toNative(before)), plain(version.toNative(after))) as object;
    const patch = patchOf(native, wanted);
    if (patch.length === 0) return before;
    const ifMatch = await versionToReplace(connection, before, options);
    if (ways[0]) return put(connection, after, wanted, { ...options, ifMatch });
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
      operation: `patch ${type}`,
      effect: "write",
      ...options,
    });
    return stored(connection, response, after, id, options);
  };
