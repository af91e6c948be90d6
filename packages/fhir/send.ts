import type { OutboundResponse } from "@vitaline/outbound";
import { exchange, type ExchangeRequest } from "./exchange.ts";
import type { CapabilityStore } from "./capability.ts";
import type { FhirContext, FhirVersion } from "./types.ts";
import { versions } from "./versions.ts";

/** A FHIR server and the key to it. */
export type FhirServer = CapabilityStore & {
  /** Without a trailing slash. */
  baseUrl: string;
  fhirVersion: FhirVersion;
  /** An access token; not the one that the server has `refused`. The wait for it ends with the signal. */
  accessToken(options: { refused?: string; signal?: AbortSignal }): Promise<string>;
};

/** Sends a request below the server's base. */
export type Send = (request: Omit<ExchangeRequest, "savedOrigin">) => Promise<OutboundResponse>;

/** Adds the access token. A first 401 gets a new token and one more try, also for a write: it was refused before it was read. */
export function sendTo(ctx: FhirContext, server: FhirServer): Send {
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
