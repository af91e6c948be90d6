import type { OutboundResponse } from "@vitaline/outbound";
import type { FhirResource } from "fhir/r4.js";
import { ehrError, responseError } from "../http/errors.ts";
import { type CallOptions, exchange, type ExchangeRequest, type FhirContext } from "../http/exchange.ts";
import { bodyAs, Resource } from "../http/payload-schemas.ts";
import type { FhirVersion, VersionAdapter } from "../versions/convert/version.ts";
import { rememberOriginal, versions } from "../versions/versions.ts";
import { type CapabilityStore, type CapabilitySummary, readCapabilitySummary, toCapability } from "./capability.ts";
import type { Capability } from "./types.ts";

/** FHIR ids and the longer ones of real servers; never "." or "..". */
const idPattern = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}$/;

export const isId = (id: string): boolean => idPattern.test(id);

/** AppError `ehr_not_found` for an invalid id. */
export function resourceUrl(baseUrl: string, type: string, id: string): string {
  if (!isId(id)) throw ehrError("ehr_not_found");
  return `${baseUrl}/${type}/${id}`;
}

/** The id in a Location such as https://ehr.example/r4/Appointment/17/_history/1. The URL itself is never called. */
export function idInLocation(location: string | undefined, type: string): string | undefined {
  const [, id] = new RegExp(`(?:^|/)${type}/([^/?#]+)(?:/_history/[^/?#]+)?$`).exec(location ?? "") ?? [];
  return id !== undefined && isId(id) ? id : undefined;
}

/** The absolute URL of a page link. The access token is sent to it, so a link outside the base URL is AppError `ehr_invalid`. */
export function pageUrl(baseUrl: string, link: string): string {
  const base = new URL(`${baseUrl}/`);
  const page = URL.canParse(link, base) ? new URL(link, base) : undefined;
  const below = page && (page.pathname.startsWith(base.pathname) || `${page.pathname}/` === base.pathname);
  if (!page || !below || page.origin !== base.origin || page.username || page.password) throw ehrError("ehr_invalid");
  return page.href;
}

export type Connection = {
  ctx: FhirContext;
  baseUrl: string;
  version: VersionAdapter;
  send: Send;
  summary(options?: CallOptions): Promise<CapabilitySummary>;
  capability(options?: CallOptions): Promise<Capability>;
  read<T extends FhirResource>(type: T["resourceType"], id: string, options?: CallOptions): Promise<T>;
  /** The response as R4, or undefined when it is not a resource of the `wanted` type. */
  parseResource(response: OutboundResponse, wanted: string): FhirResource | undefined;
};

const maxStatementBytes = 8 << 20;

export function connect(ctx: FhirContext, server: FhirServer): Connection {
  const { baseUrl, fhirVersion } = server;
  const version = versions[fhirVersion];
  const send = sendTo(ctx, server);

  const fetchStatement = async ({ signal }: CallOptions): Promise<OutboundResponse> => {
    const request = { url: `${baseUrl}/metadata`, interaction: "metadata", effect: "read", maxBytes: maxStatementBytes, signal } as const;
    const open = await exchange(ctx, { ...request, headers: { Accept: version.mediaType }, registeredOrigin: new URL(baseUrl).origin });
    return open.status === 401 || open.status === 403 ? send(request) : open;
  };
  const summary: Connection["summary"] = (options = {}) => readCapabilitySummary(ctx, server, fetchStatement, options);

  const parseResource: Connection["parseResource"] = (response, wanted) => {
    const native = bodyAs(Resource, response);
    if (native?.resourceType !== version.nativeType(wanted)) return undefined;
    if (native.id !== undefined && !isId(native.id)) throw ehrError("ehr_invalid");
    return convertRead(version, native, response, wanted)[0];
  };

  const read = async <T extends FhirResource>(type: T["resourceType"], id: string, { signal }: CallOptions = {}): Promise<T> => {
    const location = version.nativeLocation(type, id);
    const response = await send({
      url: resourceUrl(baseUrl, location.type, location.id),
      interaction: `read ${type}`,
      effect: "read",
      signal,
    });
    const error = responseError(response, "read", ctx.clock());
    if (error) throw error;
    const native = bodyAs(Resource, response);
    if (native?.resourceType !== location.type || (native.id !== undefined && !isId(native.id))) throw ehrError("ehr_invalid");
    // Some servers know a resource by several ids and return it under another one; an embedded resource must have the requested id.
    const resources = convertRead(version, native, response, type);
    const found = version.isEmbedded(type) ? resources.find((one) => one.resourceType === type && one.id === id) : resources[0];
    if (!found) throw ehrError("ehr_not_found");
    return found as T;
  };

  return {
    ...{ ctx, baseUrl, version, send, summary, read, parseResource },
    capability: async (options) => toCapability(await summary(options), fhirVersion),
  };
}

const etagPattern = /^(?:W\/)?"[^"]+"$/;

/** Some servers send the version only as an ETag header, and some compare ETags literally, so the received ETag is remembered. */
function convertRead(version: VersionAdapter, native: Resource, { headers }: OutboundResponse, wanted: string): FhirResource[] {
  const found = version.toR4(native, wanted);
  const etag = etagPattern.test(headers.etag ?? "") ? headers.etag : undefined;
  const [converted] = found.toReversed();
  if (converted && etag !== undefined) rememberOriginal(converted, { native, etag });
  return found;
}

export type FhirServer = CapabilityStore & {
  /** Without a trailing slash. */
  baseUrl: string;
  fhirVersion: FhirVersion;
  /** An access token other than the `refused` one; the wait ends with the signal. */
  accessToken(options: { refused?: string; signal?: AbortSignal }): Promise<string>;
};

type Send = (request: Omit<ExchangeRequest, "registeredOrigin">) => Promise<OutboundResponse>;

/** Adds the access token. After a 401 it retries once with a new token, also a write: the server refused it unread. */
function sendTo(ctx: FhirContext, server: FhirServer): Send {
  const { mediaType } = versions[server.fhirVersion];
  const registeredOrigin = new URL(server.baseUrl).origin;
  const withToken = (request: Omit<ExchangeRequest, "registeredOrigin">, token: string) =>
    exchange(ctx, {
      ...request,
      registeredOrigin,
      headers: { Accept: mediaType, ...request.headers, Authorization: `Bearer ${token}` },
    });

  return async (request) => {
    const { signal } = request;
    const token = await server.accessToken({ signal });
    const response = await withToken(request, token);
    return response.status === 401 ? withToken(request, await server.accessToken({ refused: token, signal })) : response;
  };
}
