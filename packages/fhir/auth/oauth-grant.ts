import { isAppError } from "@vitaline/core";
import { discover, forgetDiscovery } from "./discovery.ts";
import { ehrError } from "../http/errors.ts";
import { type AccessToken, type ClientRegistration, postGrant } from "./token.ts";
import type { CallOptions, FhirContext } from "../http/exchange.ts";

/** A token of somebody who signed in at the server; `refreshToken` replaces the one before, if it is there. */
export type GrantedToken = AccessToken & { refreshToken?: string };

/**
 * Turns the code of a sign-in into tokens (RFC 6749 4.1.3, with the verifier of RFC 7636). A code counts once.
 * AppError `ehr_auth` when the server does not take it; `ehr_unavailable`, `ehr_timeout` when it cannot be asked.
 */
export const exchangeCode = (
  ctx: FhirContext,
  client: ClientRegistration,
  { code, redirectUri, verifier }: { code: string; redirectUri: string; verifier: string },
  options: CallOptions = {},
): Promise<GrantedToken> =>
  take(ctx, client, { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier }, options);

/** A new access token for who signed in before (RFC 6749 6). AppError `ehr_auth` when the server has forgotten them. */
export const refreshAccessToken = (
  ctx: FhirContext,
  client: ClientRegistration,
  { refreshToken }: { refreshToken: string },
  options: CallOptions = {},
): Promise<GrantedToken> => take(ctx, client, { grant_type: "refresh_token", refresh_token: refreshToken }, options);

async function take(
  ctx: FhirContext,
  client: ClientRegistration,
  grant: Record<string, string>,
  { signal }: CallOptions,
): Promise<GrantedToken> {
  const discovery = await discover(ctx, client, signal);
  // Servers call a repeated code or refresh token theft, so nothing is sent twice.
  const outcome = await postGrant(ctx, client, discovery, { grant, effect: "write", signal }).catch((error: unknown) => {
    throw isAppError(error, "ehr_unknown_outcome") ? ehrError("ehr_unavailable", { cause: error }) : error;
  });
  if (!outcome || "answer" in outcome) {
    forgetDiscovery(client.baseUrl);
    throw ehrError("ehr_auth");
  }
  return { ...outcome.token, refreshToken: outcome.refreshToken };
}
