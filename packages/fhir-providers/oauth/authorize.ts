import { createHash, randomBytes } from "node:crypto";
import type { FhirAuthorization } from "@vitaline/contract";
import { AppError, digest } from "@vitaline/core";
import { discover } from "@vitaline/fhir";
import { create, type FhirProviderRow, keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { findPlaceholder } from "../provider/addresses.ts";
import { connectionDigest, grantOf } from "../provider/client-registration.ts";
import { readFhirProvider } from "../provider/provider-row.ts";

const stateSeconds = 600;
const secret = (): string => randomBytes(32).toString("base64url");

/** Who begins: the state holds for their session alone. */
export type SignedIn = { userId: string; sid: string; tenantId?: string | undefined };

/** Where an EHR of this vendor sends the browser back. */
export const callbackUrl = ({ origin }: Pick<PlatformContext, "origin">, vendor: FhirProviderRow["providerType"]): string =>
  `${origin}/oauth/${vendor}/callback`;

/** What ties the way back to the browser that began it. */
export const browserDigest = (kept: string): string => digest("oauth-browser", kept);

/**
 * The address of an EHR's sign-in page with all that it is to know (RFC 6749 4.1.1, RFC 7636, SMART App Launch), and `browser`, which
 * the browser that asks keeps to itself until it comes back with the same `state`. With `keptBy`, only that tenant's own providers
 * exist. AppError `not_found`; `forbidden` for the platform at a tenant's own; `not_doable` for a connection that nobody has to be
 * let in at, or that names no page, or another way back.
 */
export async function beginAuthorization(
  ctx: PlatformContext,
  id: string,
  by: SignedIn,
  keptBy?: string,
): Promise<FhirAuthorization & { state: string; browser: string }> {
  const row = await readFhirProvider(ctx, id, keptBy);
  // A tenant chooses its addresses: a page there could lead the platform's people on to let it in elsewhere.
  if (row.ownerTenantId !== keptBy)
    throw new AppError("forbidden", "Only the organization that keeps this record system can authorize it.");
  const page = new URL(await pageOf(ctx, row));
  const [state, verifier, browser] = [secret(), secret(), secret()];
  const asked = {
    response_type: "code",
    client_id: row.clientId,
    redirect_uri: callbackUrl(ctx, row.providerType),
    scope: withLastingAccess(row.scopes),
    state,
    aud: row.baseUrl,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(asked)) page.searchParams.set(name, value);
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + stateSeconds;
  await ctx.platform.note(
    create(keys.oauthState(state), {
      ...by,
      ...{ providerId: id, connection: connectionDigest(row), verifier, browser: browserDigest(browser), expiresAt },
    }),
  );
  return { url: page.href, state, browser };
}

/** Without it the way in is shut when the first access token ends. */
const withLastingAccess = (scopes: string): string =>
  /(^|\s)(offline|online)_access(\s|$)/.test(scopes) ? scopes : `${scopes} offline_access`;

async function pageOf(ctx: PlatformContext, row: FhirProviderRow): Promise<string> {
  if (grantOf(row) !== "authorization_code") throw refused("grant", "Nobody has to sign in for this connection.");
  const left = findPlaceholder(row);
  if (left) throw refused(left.field, `Replace ${left.placeholder} first.`);
  const back = callbackUrl(ctx, row.providerType);
  if (row.redirectUri !== undefined && row.redirectUri !== back) throw refused("redirectUri", `The redirect URI must be ${back}`);
  const page = row.authUrl ?? (await discover(ctx, { baseUrl: row.baseUrl })).authUrl;
  if (page === undefined || !/^https?:/.test(page)) throw refused("authUrl", "Enter the Auth URL: the server names no sign-in page.");
  return page;
}

const refused = (field: string, sentence: string): AppError => new AppError("not_doable", sentence, { fields: { [field]: sentence } });
