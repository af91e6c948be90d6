import type { OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";
import { ehrError, responseError } from "../http/errors.ts";
import { type CallOptions, exchange, type FhirContext } from "../http/exchange.ts";
import { bodyAs } from "../http/payload-schemas.ts";
import { availableAlgorithms, clientAssertion, requireAlgorithm, type Signers } from "./client-assertion.ts";
import { discover, type Discovery, forgetDiscovery } from "./discovery.ts";
import { systemScopes } from "./scopes.ts";

/** Our OAuth client at an EHR, registered with public keys or with a secret. */
export type ClientRegistration = Signers & {
  /** Without a trailing slash. */
  baseUrl: string;
  clientId: string;
  /** Space separated. */
  scopes: string;
  /** Entered by an administrator; discovered when absent. */
  tokenUrl?: string;
  clientSecret?: () => Promise<string>;
};

/** `granted`: space-separated scopes, where the server names them. */
export type AccessToken = { accessToken: string; expiresAtMs: number; granted?: string };

/** `scopes`: space separated; the registration's scopes by default. */
type TokenOptions = CallOptions & { scopes?: string | undefined };

type TokenOutcome = { token: AccessToken; refreshToken?: string } | { errorResponse: OutboundResponse };

/** RFC 6749 section 5.1 and appendix A.12. Some servers send the seconds as a string. */
const TokenResponse = z.looseObject({
  access_token: z.string().check(z.regex(/^[\x20-\x7e]+$/)),
  token_type: z.string().check(z.regex(/^bearer$/i)),
  expires_in: z.nullish(z.coerce.number().check(z.gte(0))),
  scope: z.nullish(z.string()),
  refresh_token: z.catch(z.nullish(z.string().check(z.minLength(1))), undefined),
});

const defaultLifetimeSeconds = 300;
const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/**
 * A new access token by client_credentials (SMART Backend Services). AppError `ehr_auth` when the server refuses the client;
 * `ehr_unavailable` or `ehr_timeout` when it cannot be reached.
 */
export async function requestAccessToken(ctx: FhirContext, client: ClientRegistration, options: TokenOptions = {}): Promise<AccessToken> {
  const discovery = await discover(ctx, client, options.signal);
  const outcome = await tryTokenRequest(ctx, client, discovery, options);
  if ("token" in outcome) return outcome.token;
  forgetDiscovery(client.baseUrl);
  throw ehrError("ehr_auth");
}

/** Like requestAccessToken with a given discovery, but returns an error response. `ehr_auth` without a token URL or credentials. */
export async function tryTokenRequest(
  ctx: FhirContext,
  client: ClientRegistration,
  discovery: Discovery,
  { signal, scopes = client.scopes }: TokenOptions = {},
): Promise<TokenOutcome> {
  const scope = systemScopes(scopes);
  const grant = { grant_type: "client_credentials", ...(scope && { scope }) };
  const outcome = await postGrant(ctx, client, discovery, { grant, effect: "read", signal });
  if (!outcome) throw ehrError("ehr_auth");
  return outcome;
}

/**
 * Posts a grant to the token endpoint; undefined for a client without usable credentials. A single-use grant (`effect` "write") is
 * not sent again after its response was lost.
 */
export async function postGrant(
  ctx: FhirContext,
  client: ClientRegistration,
  discovery: Discovery,
  { grant, effect, signal }: CallOptions & { grant: Record<string, string>; effect: "read" | "write" },
): Promise<TokenOutcome | undefined> {
  const tokenUrl = tokenUrlFor(client, discovery);
  if (tokenUrl === undefined) throw ehrError("ehr_auth");
  const authentication = await authenticate(ctx, client, discovery, tokenUrl);
  if (!authentication) return undefined;
  const { headers, fields } = authentication;
  const response = await exchange(ctx, {
    url: tokenUrl,
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json", ...headers },
    body: async () => new URLSearchParams({ ...grant, ...(await fields()) }).toString(),
    registeredOrigin: configuredOrigins(client).find((origin) => origin === new URL(tokenUrl).origin),
    interaction: "token",
    effect,
    signal,
  });
  const { status } = response;
  if (status === 429 || status >= 500) throw responseError(response, "read", ctx.clock()) ?? ehrError("ehr_unavailable");
  const body = status >= 200 && status < 300 ? bodyAs(TokenResponse, response) : undefined;
  if (!body) return { errorResponse: response };
  const expiresAtMs = ctx.clock().getTime() + (body.expires_in ?? defaultLifetimeSeconds) * 1000;
  const token = { accessToken: body.access_token, expiresAtMs, granted: body.scope ?? undefined };
  return { token, refreshToken: body.refresh_token ?? undefined };
}

/**
 * The configured token URL, else the discovered one. A client secret goes only to a configured origin. An assertion is bound to its
 * audience and may go to any discovered URL: most servers have theirs on another host, so a server that names another server's token
 * endpoint cannot be told apart; a configured token URL rules that out.
 */
export function tokenUrlFor(client: ClientRegistration, { tokenUrl: discovered }: Discovery): string | undefined {
  if (client.tokenUrl !== undefined || discovered === undefined) return client.tokenUrl;
  return !client.clientSecret || configuredOrigins(client).includes(new URL(discovered).origin) ? discovered : undefined;
}

const configuredOrigins = ({ baseUrl, tokenUrl }: ClientRegistration): string[] =>
  [baseUrl, ...(tokenUrl ? [tokenUrl] : [])].map((url) => new URL(url).origin);

type Authentication = { headers?: Record<string, string>; fields(): Promise<Record<string, string>> };

async function authenticate(
  ctx: FhirContext,
  client: ClientRegistration,
  { authMethods, signingAlgorithms }: Discovery,
  tokenUrl: string,
): Promise<Authentication | undefined> {
  const { clientId, clientSecret } = client;
  if (clientSecret && (!authMethods || authMethods.includes("client_secret_basic"))) {
    // RFC 6749 2.3.1: both parts are form-encoded before they are joined.
    const pair = [clientId, await clientSecret()].map((part) => new URLSearchParams({ _: part }).toString().slice(2)).join(":");
    return { headers: { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` }, fields: async () => ({}) };
  }
  if (clientSecret && authMethods?.includes("client_secret_post")) {
    const secret = await clientSecret();
    return { fields: async () => ({ client_id: clientId, client_secret: secret }) };
  }
  const available = availableAlgorithms(client);
  if (available.length === 0) return undefined;
  const algorithm = requireAlgorithm(signingAlgorithms, available);
  return {
    fields: async () => ({
      client_assertion_type: jwtBearer,
      client_assertion: await clientAssertion({ clientId, tokenUrl, algorithm, signers: client, now: ctx.clock() }),
    }),
  };
}
