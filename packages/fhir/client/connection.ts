import type { OutboundResponse } from "@vitaline/outbound";
import type { FhirResource } from "fhir/r4.js";
import { isId, resourceUrl } from "./resource-url.ts";
import { toCapability, type CapabilityStore, readCapabilitySummary, type CapabilitySummary } from "./capability.ts";
import { ehrError, responseError } from "../http/errors.ts";
import { type CallOptions, exchange, type ExchangeRequest, type FhirContext } from "../http/exchange.ts";
import { rememberOriginal } from "../versions/original-resource.ts";
import type { Capability } from "./types.ts";
import type { FhirVersion, Version } from "../versions/convert/version.ts";
import { versions } from "../versions/versions.ts";
import { bodyAs, Resource } from "../http/payload-schemas.ts";

/** What the interactions with one server share. */
export type Connection = {
  ctx: FhirContext;
  baseUrl: string;
  version: Version;
  send: Send;
  summary(options?: CallOptions): Promise<CapabilitySummary>;
  capability(options?: CallOptions): Promise<Capability>;
  read<T extends FhirResource>(type: T["resourceType"], id: string, options?: CallOptions): Promise<T>;
  /** An answer's resources as R4, when it is one of `wanted` type; undefined when it is something else. */
  parseResource(response: OutboundResponse, wanted: string): FhirResource | undefined;
};

const maxStatementBytes = 8 << 20;

export function connect(ctx: FhirContext, server: FhirServer): Connection {
  const { baseUrl, fhirVersion } = server;
  const version = versions[fhirVersion];
  const send = sendTo(ctx, server);

  const statement = async ({ signal }: CallOptions): Promise<OutboundResponse> => {
    const request = { url: `${baseUrl}/metadata`, operation: "metadata", effect: "read", maxBytes: maxStatementBytes, signal } as const;
    const open = await exchange(ctx, { ...request, headers: { Accept: version.mediaType }, savedOrigin: new URL(baseUrl).origin });
    return open.status === 401 || open.status === 403 ? send(request) : open;
  };
  const summary: Connection["summary"] = (options = {}) => readCapabilitySummary(ctx, server, statement, options);

  const parseResource: Connection["parseResource"] = (response, wanted) => {
    const native = bodyAs(Resource, response);
    if (native?.resourceType !== version.nativeType(wanted)) return undefined;
    if (native.id !== undefined && !isId(native.id)) throw ehrError("ehr_invalid");
    return asRead(version, native, response, wanted)[0];
  };

  /** The cast states what the check of `resourceType` has shown; the rest of a resource is read with care where it is used. */
  const read = async <T extends FhirResource>(type: T["resourceType"], id: string, { signal }: CallOptions = {}): Promise<T> => {
    const holder = version.nativeLocation(type, id);
    const response = await send({ url: resourceUrl(baseUrl, holder.type, holder.id), operation: `read ${type}`, effect: "read", signal });
    const refusal = responseError(response, "read", ctx.clock());
    if (refusal) throw refusal;
    const native = bodyAs(Resource, response);
    if (native?.resourceType !== holder.type || (native.id !== undefined && !isId(native.id))) throw ehrError("ehr_invalid");
    // Some servers know a record by several ids and answer with the one they prefer; of what lies within it, only the asked one will do.
    const held = asRead(version, native, response, type);
    const found = version.isEmbedded(type) ? held.find((one) => one.resourceType === type && one.id === id) : held[0];
    if (!found) throw ehrError("ehr_not_found");
    return found as T;
  };

  return {
    ...{ ctx, baseUrl, version, send, summary, read, parseResource },
    capability: async (options) => toCapability(await summary(options), fhirVersion),
  };
}

const etagPattern = /^(?:W\/)?"[^"]+"$/;

/** Some servers tell a version in the header alone, and some compare ETags to the letter: a record keeps the one it came with. */
function asRead(version: Version, native: Resource, { headers }: OutboundResponse, wanted: string): FhirResource[] {
  const found = version.toR4(native, wanted);
  const etag = etagPattern.test(headers.etag ?? "") ? headers.etag : undefined;
  const [whole] = found.toReversed();
  if (whole && etag !== undefined) rememberOriginal(whole, { native, etag });
  return found;
}

/** A FHIR server and the key to it. */
export type FhirServer = CapabilityStore & {
  /** Without a trailing slash. */
  baseUrl: string;
  fhirVersion: FhirVersion;
  /** An access token; not the one that the server has `refused`. The wait for it ends with the signal. */
  accessToken(options: { refused?: string; signal?: AbortSignal }): Promise<string>;
};

/** Sends a request below the server's base. */
type Send = (request: Omit<ExchangeRequest, "savedOrigin">) => Promise<OutboundResponse>;

/** Adds the access token. A first 401 gets a new token and one more try, also for a write: it was refused before it was read. */
function sendTo(ctx: FhirContext, server: FhirServer): Send {
  const { mediaType } = versions[server.fhirVersion];
  const savedOrigin = new URL(server.baseUrl).origin;
  const withToken = (request: Omit<ExchangeRequest, "savedOrigin">, token: string) =>
    exchange(ctx, {
      ...request,
      savedOrigin,
      headers: { Accept: mediaType, ...request.headers, Authorization: `Bearer ${token}` },
    });

  return async (request) => {
    const { signal } = request;
    const token = await server.accessToken({ signal });
    const response = await withToken(request, token);
    return response.status === 401 ? withToken(request, await server.accessToken({ refused: token, signal })) : response;
  };
}
