import { isAppError } from "@vitaline/core";
import type { OutboundResponse } from "@vitaline/outbound";
import type { FhirResource } from "fhir/r4.js";
import { idInLocation, resourceUrl } from "./address.ts";
import { readCapability } from "./capability.ts";
import { ehrError } from "./errors.ts";
import { exchange } from "./exchange.ts";
import { refusalOf } from "./refusal.ts";
import { searchAll } from "./search.ts";
import { sendTo, type FhirServer } from "./send.ts";
import type { CallOptions, FhirClient, FhirContext } from "./types.ts";
import { bodyAs, Resource } from "./wire.ts";

const maxStatementBytes = 8 << 20;

/** A client of one R4 server for the time of one request. https://hl7.org/fhir/R4/http.html */
export function createFhirClient(ctx: FhirContext, server: FhirServer): FhirClient {
  const { baseUrl } = server;
  const send = sendTo(ctx, server);

  const statement = async ({ signal }: CallOptions): Promise<OutboundResponse> => {
    const request = { url: `${baseUrl}/metadata`, operation: "metadata", effect: "read", maxBytes: maxStatementBytes, signal } as const;
    const open = await exchange(ctx, { ...request, headers: { Accept: "application/fhir+json" }, savedOrigin: new URL(baseUrl).origin });
    return open.status === 401 || open.status === 403 ? send(request) : open;
  };
  const capability: FhirClient["capability"] = (options = {}) => readCapability(ctx, baseUrl, statement, options);

  /** The casts here and below state what the check of `resourceType` has shown; the rest of a resource is read with care where it is used. */
  const read = async <T extends FhirResource>(type: T["resourceType"], id: string, { signal }: CallOptions = {}): Promise<T> => {
    const response = await send({ url: resourceUrl(baseUrl, type, id), operation: `read ${type}`, effect: "read", signal });
    const refusal = refusalOf(response, "read", ctx.clock());
    if (refusal) throw refusal;
    const resource = bodyAs(Resource, response);
    if (resource?.resourceType !== type) throw ehrError("ehr_invalid");
    return resource as unknown as T;
  };

  /** What the server stored: its answer, else what it shows when asked for it. The write has happened, so failing to see it is no failure. */
  const stored = async <T extends FhirResource>(
    response: OutboundResponse,
    sent: T,
    knownId: string | undefined,
    options: CallOptions,
  ): Promise<T> => {
    const refusal = refusalOf(response, "write", ctx.clock());
    if (refusal) throw refusal;
    const answered = bodyAs(Resource, response);
    if (answered?.resourceType === sent.resourceType && answered.id !== undefined) return answered as unknown as T;
    const id = idInLocation(response.headers.location, sent.resourceType) ?? knownId;
    // A page that is not FHIR, such as a proxy's sign-in, says nothing about the write.
    const foreign = answered === undefined && response.text().trim() !== "";
    if (id === undefined || foreign) throw ehrError("ehr_unknown_outcome");
    return read<T>(sent.resourceType, id, options).catch((error: unknown) => {
      if (isAppError(error)) return { ...sent, id };
      throw error;
    });
  };

  const headers = { "Content-Type": "application/fhir+json", Prefer: "return=representation" };

  return {
    capability,
    read,
    search: async <T extends FhirResource>(type: T["resourceType"], params: Parameters<FhirClient["search"]>[1], options = {}) =>
      (await searchAll(ctx, baseUrl, send, type, params, options)) as unknown as T[],
    async create(resource, { ifNoneExist, ...options } = {}) {
      const type = resource.resourceType;
      const conditional = ifNoneExist !== undefined && (await capability(options)).conditionalCreate(type);
      const response = await send({
        url: `${baseUrl}/${type}`,
        method: "POST",
        headers: { ...headers, ...(conditional && { "If-None-Exist": ifNoneExist }) },
        body: JSON.stringify(resource),
        operation: `create ${type}`,
        effect: "write",
        ...options,
      });
      return stored(response, resource, undefined, options);
    },
    async update(resource, { ifMatch = versionTag(resource), ...options } = {}) {
      const type = resource.resourceType;
      const id = resource.id ?? "";
      const response = await send({
        url: resourceUrl(baseUrl, type, id),
        method: "PUT",
        headers: { ...headers, ...(ifMatch !== undefined && { "If-Match": ifMatch }) },
        body: JSON.stringify(resource),
        operation: `update ${type}`,
        effect: "write",
        ...options,
      });
      return stored(response, resource, id, options);
    },
  };
}

/** The ETag of a version (https://hl7.org/fhir/R4/http.html#versioning). */
const versionTag = ({ meta }: FhirResource): string | undefined => (meta?.versionId === undefined ? undefined : `W/"${meta.versionId}"`);
