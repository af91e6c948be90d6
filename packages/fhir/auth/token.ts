import type { OutboundResponse } from "@vitaline/outbound";
import * as z from "zod/mini";
import { requireAlgorithm, clientAssertion, availableAlgorithms, type Signers } from "./client-assertion.ts";
import { discover, type Discovery, forgetDiscovery } from "./discovery.ts";
import { ehrError, responseError } from "../http/errors.ts";
import { type CallOptions, exchange, type FhirContext } from "../http/exchange.ts";
import { systemScopes } from "./scopes.ts";
import { bodyAs } from "../http/payload-schemas.ts";

/** Our client at an EHR: registered with our public keys, or with a secret. */
export type ClientRegistration = Signers & {
  /** Without a trailing slash. */
  baseUrl: string;
  clientId: string;
  /** Space separated. */
  scopes: string;
  /** Typed by an administrator; without one the server says where its token endpoint is. */
  tokenUrl?: string;
  clientSecret?: () => Promise<string>;
};

/** `granted`: its scopes, space separated, where the server names them. */
export type AccessToken = { accessToken: string; expiresAtMs: number; granted?: string };

/** When a server does not say how long a token lives. */
const defaultLifetimeSeconds = 300;
const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** How we show who we are: in a header, or in fields that are made anew for each attempt. */
type Authentication = { headers?: Record<string, string>; fields(): Promise<Record<string, string>> };

/** `scopes`: what this token is asked for, space separated; all of the registration's unless told. */
type TokenOptions = CallOptions & { scopes?: string | undefined };

/**
 * A new access token by client_credentials (SMART Backend Services). Asking again does no harm: every try carries a new assertion.
 * AppError `ehr_auth` when the server does not take us; `ehr_unavailable`, `ehr_timeout` when it cannot be asked.
 */
export async function requestAccessToken(ctx: FhirContext, client: ClientRegistration, options: TokenOptions = {}): Promise<AccessToken> {
  const discovery = await discover(ctx, client, options.signal);
  const outcome = await tryTokenRequest(ctx, client, discovery, options);
  if ("token" in outcome) return outcome.token;
  forgetDiscovery(client.baseUrl);
  throw ehrError("ehr_auth");
}

/** What a token endpoint said; `answer` is a refusal as it came. */
type TokenOutcome = { token: AccessToken; refreshToken?: string } | { answer: OutboundResponse };

/**
 * Asks once, at the place that an administrator or discovery named. AppError `ehr_auth` when there is no such place or no
 * way to say who we are; `ehr_unavailable`, `ehr_timeout` when the server cannot be asked.
 */
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
 * Takes a grant to the token endpoint; undefined for a client that cannot say who it is. A grant that counts once (`effect` "write") is not
 * sent again after an answer that was lost.
 */
export async function postGrant(
  ctx: FhirContext,
  client: ClientRegistration,
  discovery: Discovery,
  { grant, effect, signal }: CallOptions & { grant: Record<string, string>; effect: "read" | "write" },
): Promise<TokenOutcome | undefined> {
  const tokenUrl = chooseTokenUrl(client, discovery);
  const shown = await authentication(ctx, client, discovery, tokenUrl);
  if (!shown) return undefined;
  const { headers, fields } = shown;
  const response = await exchange(ctx, {
    url: tokenUrl,
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json", ...headers },
    body: async () => new URLSearchParams({ ...grant, ...(await fields()) }).toString(),
    savedOrigin: savedOrigins(client).find((origin) => origin === new URL(tokenUrl).origin),
    operation: "token",
    effect,
    signal,
  });
  const { status } = response;
  if (status === 429 || status >= 500) throw responseError(response, "read", ctx.clock()) ?? ehrError("ehr_unavailable");
  const answer = status >= 200 && status < 300 ? bodyAs(TokenResponse, response) : undefined;
  if (!answer) return { answer: response };
  const expiresAtMs = ctx.clock().getTime() + (answer.expires_in ?? defaultLifetimeSeconds) * 1000;
  const token = { accessToken: answer.access_token, expiresAtMs, granted: answer.scope ?? undefined };
  return { token, refreshToken: answer.refresh_token ?? undefined };
}

const savedOrigins = ({ baseUrl, tokenUrl }: ClientRegistration): string[] =>
  [baseUrl, ...(tokenUrl ? [tokenUrl] : [])].map((url) => new URL(url).origin);

/**
 * What an administrator typed, else what the server names. A secret goes only to an origin that was typed; an assertion is bound
 * to its audience and may go where the server points. A server may point at another's token endpoint, and gets the token that was
 * given there: most have theirs on another host, so this cannot be told from what is meant; a typed Token URL rules it out.
 */
export function tokenUrlFor(client: ClientRegistration, { tokenUrl: discovered }: Discovery): string | undefined {
  if (client.tokenUrl !== undefined || discovered === undefined) return client.tokenUrl;
  return !client.clientSecret || savedOrigins(client).includes(new URL(discovered).origin) ? discovered : undefined;
}

function chooseTokenUrl(client: ClientRegistration, discovery: Discovery): string {
  const chosen = tokenUrlFor(client, discovery);
  if (chosen === undefined) throw ehrError("ehr_auth");
  return chosen;
}

async function authentication(
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
  const held = availableAlgorithms(client);
  if (held.length === 0) return undefined;
  const algorithm = requireAlgorithm(signingAlgorithms, held);
  return {
    fields: async () => ({
      client_assertion_type: jwtBearer,
      client_assertion: await clientAssertion({ clientId, tokenUrl, algorithm, signers: client, now: ctx.clock() }),
    }),
  };
}

/** RFC 6749 section 5.1 and appendix A.12. Some servers send the seconds as a string. */
const TokenResponse = z.looseObject({
  access_token: z.string().check(z.regex(/^[\x20-\x7e]+$/)),
  token_type: z.string().check(z.regex(/^bearer$/i)),
  expires_in: z.nullish(z.coerce.number().check(z.gte(0))),
  /** What was granted, when it is not what was asked for. */
  scope: z.nullish(z.string()),
  refresh_token: z.catch(z.nullish(z.string().check(z.minLength(1))), undefined),
});
