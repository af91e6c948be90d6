import { chooseAlgorithm, clientAssertion, type SignAssertion } from "./assertion.ts";
import { discover, forgetDiscovery, type Discovery } from "./discovery.ts";
import { ehrError } from "./errors.ts";
import { exchange } from "./exchange.ts";
import { refusalOf } from "./refusal.ts";
import type { CallOptions, FhirContext } from "./types.ts";
import { bodyAs, TokenAnswer } from "./wire.ts";

/** Our client at an EHR: registered with our public keys, or with a secret. */
export type ClientRegistration = {
  /** Without a trailing slash. */
  baseUrl: string;
  clientId: string;
  /** Space separated. */
  scopes: string;
  /** Saved by an administrator; used when the server does not say where its token endpoint is. */
  tokenUrl?: string;
  sign: SignAssertion;
  clientSecret?: () => Promise<string>;
};

export type AccessToken = { accessToken: string; expiresAtMs: number };

/** When a server does not say how long a token lives. */
const defaultLifetimeSeconds = 300;
const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** How we show who we are: in a header, or in fields that are made anew for each attempt. */
type Authentication = { headers?: Record<string, string>; fields(): Promise<Record<string, string>> };

/**
 * A new access token by client_credentials (SMART Backend Services). Asking again does no harm: every try carries a new assertion.
 * AppError `ehr_auth` when the server does not take us; `ehr_unavailable`, `ehr_timeout` when it cannot be asked.
 */
export async function requestAccessToken(ctx: FhirContext, client: ClientRegistration, { signal }: CallOptions = {}): Promise<AccessToken> {
  const discovery = await discover(ctx, client.baseUrl, signal);
  const tokenUrl = chooseTokenUrl(client, discovery);
  const { headers, fields } = await authentication(ctx, client, discovery, tokenUrl);
  const response = await exchange(ctx, {
    url: tokenUrl,
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json", ...headers },
    body: async () => new URLSearchParams({ grant_type: "client_credentials", scope: client.scopes, ...(await fields()) }).toString(),
    savedOrigin: savedOrigins(client).find((origin) => origin === new URL(tokenUrl).origin),
    operation: "token",
    effect: "read",
    signal,
  });
  const { status } = response;
  if (status === 429 || status >= 500) throw refusalOf(response, "read", ctx.clock()) ?? ehrError("ehr_unavailable");
  const answer = status >= 200 && status < 300 ? bodyAs(TokenAnswer, response) : undefined;
  if (!answer) {
    forgetDiscovery(client.baseUrl);
    throw ehrError("ehr_auth");
  }
  return { accessToken: answer.access_token, expiresAtMs: ctx.clock().getTime() + (answer.expires_in ?? defaultLifetimeSeconds) * 1000 };
}

const savedOrigins = ({ baseUrl, tokenUrl }: ClientRegistration): string[] =>
  [baseUrl, ...(tokenUrl ? [tokenUrl] : [])].map((url) => new URL(url).origin);

/** A secret goes only where an administrator sent it; an assertion is bound to its audience and may go where the server points. */
function chooseTokenUrl(client: ClientRegistration, { tokenUrl: discovered }: Discovery): string {
  const trusted = discovered !== undefined && (!client.clientSecret || savedOrigins(client).includes(new URL(discovered).origin));
  const chosen = trusted ? discovered : client.tokenUrl;
  if (chosen === undefined) throw ehrError("ehr_auth");
  return chosen;
}

async function authentication(
  ctx: FhirContext,
  client: ClientRegistration,
  { authMethods, signingAlgorithms }: Discovery,
  tokenUrl: string,
): Promise<Authentication> {
  const { clientId, clientSecret, sign } = client;
  if (clientSecret && (!authMethods || authMethods.includes("client_secret_basic"))) {
    // RFC 6749 2.3.1: both parts are form-encoded before they are joined.
    const pair = [clientId, await clientSecret()].map((part) => new URLSearchParams({ _: part }).toString().slice(2)).join(":");
    return { headers: { Authorization: `Basic ${Buffer.from(pair).toString("base64")}` }, fields: async () => ({}) };
  }
  if (clientSecret && authMethods?.includes("client_secret_post")) {
    const secret = await clientSecret();
    return { fields: async () => ({ client_id: clientId, client_secret: secret }) };
  }
  const algorithm = chooseAlgorithm(signingAlgorithms);
  return {
    fields: async () => ({
      client_assertion_type: jwtBearer,
      client_assertion: await clientAssertion({ clientId, tokenUrl, algorithm, sign, now: ctx.clock() }),
    }),
  };
}
