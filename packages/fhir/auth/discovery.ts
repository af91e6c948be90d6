import type { OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";
import { ehrError, responseError } from "../http/errors.ts";
import { exchange, type ExchangeRequest, type FhirContext } from "../http/exchange.ts";
import { bodyAs, Statement } from "../http/payload-schemas.ts";
import { type Waiter, type InFlight, singleFlight } from "../http/single-flight.ts";

/** What a server says of its authorization; an absent list proves nothing. */
export type Discovery = {
  tokenUrl?: string;
  authUrl?: string;
  /** By which the server names itself in what its sign-in page sends back (RFC 9207). */
  issuer?: string;
  scopes?: string[];
  authMethods?: string[];
  signingAlgorithms?: string[];
};

const foundMs = 3_600_000;
/** Who has nothing to say today may say it soon, but is not asked for each token. */
const nothingMs = 300_000;
const lifetimeMs = ({ tokenUrl }: Discovery): number => (tokenUrl === undefined ? nothingMs : foundMs);
const bySmart = ttlCache<Discovery>(lifetimeMs);
const byStatement = ttlCache<Discovery>(lifetimeMs);
const maxStatementBytes = 8 << 20;
const oauthUris = "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris";

/**
 * The server's SMART configuration, else the oauth-uris of its statement, else nothing; the statement is left alone where `tokenUrl`
 * is typed. What was found is kept for an hour, that there is nothing for some minutes, and all are asked for once at a time.
 */
export async function discover(
  ctx: FhirContext,
  { baseUrl, tokenUrl }: { baseUrl: string; tokenUrl?: string | undefined },
  signal?: AbortSignal,
): Promise<Discovery> {
  const asker = { ctx, signal };
  const smart = await bySmart.get(baseUrl, asker, async () => (await smartConfiguration(ctx, baseUrl, signal)) ?? {});
  if (smart.tokenUrl !== undefined || tokenUrl !== undefined) return smart;
  return byStatement.get(baseUrl, asker, async () => (await oauthExtension(ctx, baseUrl, signal)) ?? {});
}

/** After a refusal by the token endpoint, or for somebody who asks anew: what was discovered may have moved. */
export function forgetDiscovery(baseUrl: string): void {
  bySmart.forget(baseUrl);
  byStatement.forget(baseUrl);
}

async function smartConfiguration(ctx: FhirContext, baseUrl: string, signal: AbortSignal | undefined): Promise<Discovery | undefined> {
  return parseSmartConfiguration(working(ctx, await fetchSmartConfiguration(ctx, baseUrl, { signal })), baseUrl);
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

async function oauthExtension(ctx: FhirContext, baseUrl: string, signal: AbortSignal | undefined): Promise<Discovery | undefined> {
  return parseOauthUris(working(ctx, await fetchMetadata(ctx, baseUrl, { signal })), baseUrl);
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

type Asked = Pick<ExchangeRequest, "signal" | "wantsCertificate" | "headers">;

/** The server's SMART configuration, or whatever it answers instead. */
export const fetchSmartConfiguration = (ctx: FhirContext, baseUrl: string, asked: Asked = {}): Promise<OutboundResponse> =>
  ask(ctx, baseUrl, "/.well-known/smart-configuration", { ...asked, headers: { Accept: "application/json" }, operation: "discovery" });

/** The server's CapabilityStatement, or whatever it answers instead; no token goes along unless `headers` hold it. */
export const fetchMetadata = (ctx: FhirContext, baseUrl: string, asked: Asked = {}): Promise<OutboundResponse> =>
  ask(ctx, baseUrl, "/metadata", { ...asked, headers: { Accept: statementTypes, ...asked.headers }, operation: "metadata" });

/** Whoever asks here does not know the version yet, and DSTU2 has a media type of its own. */
const statementTypes = "application/fhir+json, application/json+fhir;q=0.9, application/json;q=0.8";

const ask = (
  ctx: FhirContext,
  baseUrl: string,
  path: string,
  asked: Asked & Pick<ExchangeRequest, "operation">,
): Promise<OutboundResponse> =>
  exchange(ctx, { ...asked, url: baseUrl + path, savedOrigin: new URL(baseUrl).origin, maxBytes: maxStatementBytes, effect: "read" });

/** A failing server is told from one that has no such document: only the latter sends us on to the next place. */
function working(ctx: FhirContext, response: OutboundResponse): OutboundResponse {
  const refusal = response.status === 429 || response.status >= 500 ? responseError(response, "read", ctx.clock()) : undefined;
  if (refusal) throw refusal;
  return response;
}

function absolute(address: string, baseUrl: string): string {
  if (!URL.canParse(address, `${baseUrl}/`)) throw ehrError("ehr_invalid");
  return new URL(address, `${baseUrl}/`).href;
}

/** A memory with an end, of at most so many servers. */
const mostKept = 1000;

/** What is fetched once for its lifetime, which may depend on what it is, whoever asks and however many at a time. */
function ttlCache<T>(lifetimeMs: (value: T) => number): {
  get(key: string, asker: Waiter & { ctx: FhirContext }, fetch: () => Promise<T>): Promise<T>;
  forget(key: string): void;
} {
  const kept = new Map<string, { value: T; untilMs: number }>();
  const flights: InFlight<T> = new Map();
  return {
    async get(key, asker, fetch) {
      const nowMs = () => asker.ctx.clock().getTime();
      const known = kept.get(key);
      if (known && known.untilMs > nowMs()) return known.value;
      return singleFlight(flights, key, asker, async () => {
        const value = await fetch();
        if (kept.size >= mostKept) kept.clear();
        kept.set(key, { value, untilMs: nowMs() + lifetimeMs(value) });
        return value;
      });
    },
    forget: (key) => void kept.delete(key),
  };
}

/** https://hl7.org/fhir/smart-app-launch/conformance.html; real servers leave out what the guide requires. */
const SmartConfiguration = z.looseObject({
  token_endpoint: z.string(),
  authorization_endpoint: z.catch(z.nullish(z.string()), undefined),
  issuer: z.catch(z.nullish(z.string()), undefined),
  scopes_supported: z.catch(z.nullish(z.array(z.string())), undefined),
  token_endpoint_auth_methods_supported: z.nullish(z.array(z.string())),
  token_endpoint_auth_signing_alg_values_supported: z.nullish(z.array(z.string())),
});
