import { createHash, randomBytes } from "node:crypto";
import type { FhirAuthorization } from "@vitaline/contract";
import { AppError, sha256In } from "@vitaline/core";
import { discover } from "@vitaline/fhir";
import { create, type FhirProviderRow, keys } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { findPlaceholder } from "../provider/addresses.ts";
import { connectionDigestOf, grantOf } from "../provider/credentials.ts";
import { readFhirProvider } from "../provider/provider-row.ts";

const stateSeconds = 600;
const randomSecret = (): string => randomBytes(32).toString("base64url");

/** The state is valid for this session only. */
export type SessionRef = { userId: string; sid: string; tenantId?: string | undefined };

export const callbackUrl = ({ origin }: Pick<EhrRegistryContext, "origin">, vendor: FhirProviderRow["providerType"]): string =>
  `${origin}/oauth/${vendor}/callback`;

/** Binds the callback to the browser that began the authorization. */
export const browserDigest = (secret: string): string => sha256In("oauth-browser", secret);

/**
 * The authorization request (RFC 6749 4.1.1, RFC 7636, SMART App Launch): `url` of the EHR's sign-in page, and `browser`, a secret that the
 * browser keeps until it returns with `state`. With `ownerTenantId`, only that tenant's own providers exist. AppError `not_found`;
 * `forbidden` for the platform at a tenant's own provider; `not_doable` for another grant, without a sign-in page, or with another redirect
 * URI.
 */
export async function beginAuthorization(
  ctx: EhrRegistryContext,
  id: string,
  by: SessionRef,
  ownerTenantId?: string,
): Promise<FhirAuthorization & { state: string; browser: string }> {
  const row = await readFhirProvider(ctx, id, ownerTenantId);
  // A tenant chooses its addresses, and its page could lead platform administrators into authorizing something else.
  if (row.ownerTenantId !== ownerTenantId)
    throw new AppError("forbidden", "Only the organization that owns this record system can authorize it.");
  const url = new URL(await authorizationUrl(ctx, row));
  const [state, verifier, browser] = [randomSecret(), randomSecret(), randomSecret()];
  const params = {
    response_type: "code",
    client_id: row.clientId,
    redirect_uri: callbackUrl(ctx, row.providerType),
    scope: withOfflineAccess(row.scopes),
    state,
    aud: row.baseUrl,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + stateSeconds;
  await ctx.platform.writeUnaudited(
    create(keys.oauthState(state), {
      ...by,
      ...{ providerId: id, connectionDigest: connectionDigestOf(row), verifier, browser: browserDigest(browser), expiresAt },
    }),
  );
  return { url: url.href, state, browser };
}

/** Without it there is no refresh token. */
const withOfflineAccess = (scopes: string): string =>
  /(^|\s)(offline|online)_access(\s|$)/.test(scopes) ? scopes : `${scopes} offline_access`;

async function authorizationUrl(ctx: EhrRegistryContext, row: FhirProviderRow): Promise<string> {
  if (grantOf(row) !== "authorization_code") throw fieldError("grant", "This connection needs no sign-in.");
  const found = findPlaceholder(row);
  if (found) throw fieldError(found.field, `Replace ${found.placeholder} first.`);
  const redirectUri = callbackUrl(ctx, row.providerType);
  if (row.redirectUri !== undefined && row.redirectUri !== redirectUri)
    throw fieldError("redirectUri", `The redirect URI must be ${redirectUri}`);
  const page = row.authUrl ?? (await discover(ctx, { baseUrl: row.baseUrl })).authUrl;
  if (page === undefined || !/^https?:/.test(page)) throw fieldError("authUrl", "Enter the Auth URL: the server names no sign-in page.");
  return page;
}

const fieldError = (field: string, sentence: string): AppError => new AppError("not_doable", sentence, { fields: { [field]: sentence } });
