import { isAppError } from "@vitaline/core";
import { ehrError } from "../http/errors.ts";
import type { CallOptions, FhirContext } from "../http/exchange.ts";
import { discover, forgetDiscovery } from "./discovery.ts";
import { type AccessToken, type ClientRegistration, postGrant } from "./token.ts";

/** `refreshToken`, where present, replaces the previous one. */
export type GrantedToken = AccessToken & { refreshToken?: string };

/**
 * Exchanges an authorization code for tokens (RFC 6749 4.1.3, with the RFC 7636 verifier). AppError `ehr_auth` when the server
 * refuses the code; `ehr_unavailable` or `ehr_timeout` when it cannot be reached.
 */
export const exchangeCode = (
  ctx: FhirContext,
  client: ClientRegistration,
  { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string },
  options: CallOptions = {},
): Promise<GrantedToken> =>
  redeemGrant(ctx, client, { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier }, options);

/** A new access token from a refresh token (RFC 6749 6). AppErrors as for exchangeCode. */
export const refreshAccessToken = (
  ctx: FhirContext,
  client: ClientRegistration,
  { refreshToken }: { refreshToken: string },
  options: CallOptions = {},
): Promise<GrantedToken> => redeemGrant(ctx, client, { grant_type: "refresh_token", refresh_token: refreshToken }, options);

async function redeemGrant(
  ctx: FhirContext,
  client: ClientRegistration,
  grant: Record<string, string>,
  { signal }: CallOptions,
): Promise<GrantedToken> {
  const discovery = await discover(ctx, client, signal);
  // Servers treat a repeated code or refresh token as theft, so it is never sent twice.
  const outcome = await postGrant(ctx, client, discovery, { grant, effect: "write", signal }).catch((error: unknown) => {
    throw isAppError(error, "ehr_unknown_outcome") ? ehrError("ehr_unavailable", { cause: error }) : error;
  });
  if (!outcome || "errorResponse" in outcome) {
    forgetDiscovery(client.baseUrl);
    throw ehrError("ehr_auth");
  }
  return { ...outcome.token, refreshToken: outcome.refreshToken };
}
