import type { OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";
import { ehrError, responseError } from "../http/errors.ts";
import { exchange, type ExchangeRequest, type FhirContext } from "../http/exchange.ts";
import { bodyAs, Statement } from "../http/payload-schemas.ts";
import { type InFlight, singleFlight, type Waiter } from "../http/single-flight.ts";

/** An absent list means that the server does not say. */
export type Discovery = {
  tokenUrl?: string;
  authUrl?: string;
  /** The `iss` parameter of authorization responses (RFC 9207). */
  issuer?: string;
  scopes?: string[];
  authMethods?: string[];
  signingAlgorithms?: string[];
};

/** https://hl7.org/fhir/smart-app-launch/conformance.html; optional where real servers omit required fields. */
const SmartConfiguration = z.looseObject({
  token_endpoint: z.string(),
  authorization_endpoint: z.catch(z.nullish(z.string()), undefined),
  issuer: z.catch(z.nullish(z.string()), undefined),
  scopes_supported: z.catch(z.nullish(z.array(z.string())), undefined),
  token_endpoint_auth_methods_supported: z.nullish(z.array(z.string())),
  token_endpoint_auth_signing_alg_values_supported: z.nullish(z.array(z.string())),
});

const foundLifetimeMs = 3_600_000;
const notFoundLifetimeMs = 300_000;
const lifetimeMs = ({ tokenUrl }: Discovery): number => (tokenUrl === undefined ? notFoundLifetimeMs : foundLifetimeMs);
const smartCache = ttlCache<Discovery>(lifetimeMs);
const statementCache = ttlCache<Discovery>(lifetimeMs);
const maxCached = 1000;
const maxStatementBytes = 8 << 20;
const oauthUris = "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris";

/**
 * The server's SMART configuration, else the oauth-uris of its CapabilityStatement, else empty. With a configured `tokenUrl` the
 * CapabilityStatement is not read. Cached for an hour, an empty result for five minutes; concurrent callers share one request.
 */
export async function discover(
  ctx: FhirContext,
  { baseUrl, tokenUrl }: { baseUrl: string; tokenUrl?: string | undefined },
  signal?: AbortSignal,
): Promise<Discovery> {
  const waiter = { ctx, signal };
  const smart = await smartCache.get(baseUrl, waiter, async () => {
    const response = await fetchSmartConfiguration(ctx, baseUrl, { signal });
    return parseSmartConfiguration(requireAvailable(ctx, response), baseUrl) ?? {};
  });
  if (smart.tokenUrl !== undefined || tokenUrl !== undefined) return smart;
  return statementCache.get(baseUrl, waiter, async () => {
    const response = await fetchMetadata(ctx, baseUrl, { signal });
    return parseOauthUris(requireAvailable(ctx, response), baseUrl) ?? {};
  });
}

/** Clears the cached discovery, for example after the token endpoint refused: it may have moved. */
export function forgetDiscovery(baseUrl: string): void {
  smartCache.forget(baseUrl);
  statementCache.forget(baseUrl);
}

export function parseSmartConfiguration(response: OutboundResponse, baseUrl: string): Discovery | undefined {
  const found = bodyAs(SmartConfiguration, response);
  if (response.status !== 200 || !found) return undefined;
  return {
    tokenUrl: absolute(found.token_endpoint, baseUrl),
    ...(found.authorization_endpoint && { authUrl: absolute(found.authorization_endpoint, baseUrl) }),
    issuer: found.issuer ?? undefined,
    scopes: found.scopes_supported ?? undefined,
    authMethods: found.token_endpoint_auth_methods_supported ?? undefined,
    signingAlgorithms: found.token_endpoint_auth_signing_alg_values_supported ?? undefined,
  };
}

export function parseOauthUris(response: OutboundResponse, baseUrl: string): Discovery | undefined {
  const statement = response.status === 200 ? bodyAs(Statement, response) : undefined;
  const uris = (statement?.rest ?? [])
    .flatMap(({ security }) => security?.extension ?? [])
    .filter(({ url }) => url === oauthUris)
    .flatMap(({ extension }) => extension ?? []);
  const [token, authorize] = ["token", "authorize"].map((name) => uris.find(({ url }) => url === name)?.valueUri);
  return token ? { tokenUrl: absolute(token, baseUrl), ...(authorize && { authUrl: absolute(authorize, baseUrl) }) } : undefined;
}

type FetchOptions = Pick<ExchangeRequest, "signal" | "wantsCertificate" | "headers">;

/** The response may have any status. */
export const fetchSmartConfiguration = (ctx: FhirContext, baseUrl: string, options: FetchOptions = {}): Promise<OutboundResponse> =>
  get(ctx, baseUrl, "/.well-known/smart-configuration", {
    ...options,
    headers: { Accept: "application/json" },
    interaction: "discovery",
  });

/** The response may have any status; sent without a token unless `headers` has one. */
export const fetchMetadata = (ctx: FhirContext, baseUrl: string, options: FetchOptions = {}): Promise<OutboundResponse> =>
  get(ctx, baseUrl, "/metadata", { ...options, headers: { Accept: anyFhirVersion, ...options.headers }, interaction: "metadata" });

/** The server's version is not known yet, and DSTU2 has a media type of its own. */
const anyFhirVersion = "application/fhir+json, application/json+fhir;q=0.9, application/json;q=0.8";

const get = (
  ctx: FhirContext,
  baseUrl: string,
  path: string,
  options: FetchOptions & Pick<ExchangeRequest, "interaction">,
): Promise<OutboundResponse> =>
  exchange(ctx, {
    ...options,
    url: baseUrl + path,
    registeredOrigin: new URL(baseUrl).origin,
    maxBytes: maxStatementBytes,
    effect: "read",
  });

/** A failing server is an error; only a missing document leads on to the next source. */
function requireAvailable(ctx: FhirContext, response: OutboundResponse): OutboundResponse {
  const error = response.status === 429 || response.status >= 500 ? responseError(response, "read", ctx.clock()) : undefined;
  if (error) throw error;
  return response;
}

function absolute(address: string, baseUrl: string): string {
  if (!URL.canParse(address, `${baseUrl}/`)) throw ehrError("ehr_invalid");
  return new URL(address, `${baseUrl}/`).href;
}

function ttlCache<T>(valueLifetimeMs: (value: T) => number): {
  get(key: string, waiter: Waiter & { ctx: FhirContext }, fetch: () => Promise<T>): Promise<T>;
  forget(key: string): void;
} {
  const cached = new Map<string, { value: T; untilMs: number }>();
  const inFlight: InFlight<T> = new Map();
  return {
    async get(key, waiter, fetch) {
      const nowMs = () => waiter.ctx.clock().getTime();
      const known = cached.get(key);
      if (known && known.untilMs > nowMs()) return known.value;
      return singleFlight(inFlight, key, waiter, async () => {
        const value = await fetch();
        if (cached.size >= maxCached) cached.clear();
        cached.set(key, { value, untilMs: nowMs() + valueLifetimeMs(value) });
        return value;
      });
    },
    forget: (key) => void cached.delete(key),
  };
}
