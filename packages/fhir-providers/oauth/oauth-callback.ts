import { storeFhirSecret } from "@vitaline/aws";
import type { FhirProvider } from "@vitaline/contract";
import { errorFields, isAppError } from "@vitaline/core";
import { discover, exchangeCode } from "@vitaline/fhir";
import { findSessionUser } from "@vitaline/sessions";
import { type FhirProviderRow, keys, nextVersion, type OAuthStateRow, retryOnStale, put, remove, update } from "@vitaline/store";
import type { EhrRegistryContext, ScopedContext } from "@vitaline/store/scoped.ts";
import { clientRegistration, connectionDigestOf, consentDigestOf } from "../provider/credentials.ts";
import { ownerStore, readFhirProvider } from "../provider/provider-row.ts";
import { browserDigest, callbackUrl } from "./authorize.ts";

/**
 * "expired": the state is over, used, or of another browser or session; "changed": the connection was changed meanwhile; "denied": the user
 * or EHR refused; "refused": the EHR rejects its own code; "unavailable": the EHR could not be reached.
 */
export type AuthorizationOutcome = "connected" | "expired" | "changed" | "denied" | "no_refresh_token" | "refused" | "unavailable";
type Outcome = { outcome: AuthorizationOutcome; providerId?: string; isTenants?: boolean };
type CallbackParams = { state?: string | undefined; code?: string | undefined; error?: string | undefined; iss?: string | undefined };

/**
 * Handles the redirect from an EHR's sign-in page, once for each state: exchanges the code and stores the refresh token in Secrets Manager.
 * Audited as an act of the user who began, in the log of the tenant that owns the provider, else in the platform's. Throws only for our own
 * faults.
 */
export async function completeAuthorization(
  ctx: ScopedContext<"ehr" | "accounts">,
  vendor: FhirProvider["providerType"],
  { state = "", code, error, iss }: CallbackParams,
  browser: string | undefined,
): Promise<Outcome> {
  const stateRow = await takeState(ctx, state, browser);
  const user = stateRow && (await findSessionUser(ctx, stateRow));
  if (!stateRow || !user) return { outcome: "expired" };
  const { providerId, tenantId } = stateRow;
  const target = { providerId, isTenants: tenantId !== undefined };
  const provider = await readFhirProvider(ctx, providerId, tenantId).catch((failure: unknown) => {
    if (isAppError(failure, "not_found")) return undefined;
    throw failure;
  });
  if (provider?.providerType !== vendor || connectionDigestOf(provider) !== stateRow.connectionDigest)
    return { outcome: "changed", ...target };

  const actor = { kind: "user", id: user.id, role: user.role, tenantId: user.tenantId } as const;
  const userCtx: EhrRegistryContext = { ...ctx, actor, platform: ctx.platform.as(actor) };
  const consent =
    code === undefined || error !== undefined ? "denied" : await redeem(userCtx, provider, { code, iss, verifier: stateRow.verifier });
  if (typeof consent === "string") {
    await ownerStore(userCtx, provider.ownerTenantId).commit([], { ...auditOf(provider), success: false, code: consent });
    return { outcome: consent, ...target };
  }
  const changed = await saveConsent(userCtx, provider, consent);
  return { outcome: changed ? "changed" : "connected", ...target };
}

/** Consumes the state; only the browser that it was made for can. */
async function takeState(ctx: EhrRegistryContext, state: string, browser: string | undefined): Promise<OAuthStateRow | undefined> {
  if (state === "" || browser === undefined) return undefined;
  const key = keys.oauthState(state);
  const row = await ctx.platform.get<OAuthStateRow>(key);
  if (row?.browser !== browserDigest(browser)) return undefined;
  return (await ctx.platform.writeUnaudited(remove(key, { exists: true }))) ? row : undefined;
}

type Consent = { refreshToken: string; granted?: string | undefined };

async function redeem(
  ctx: EhrRegistryContext,
  provider: FhirProviderRow,
  { code, iss, verifier }: { code: string; iss: string | undefined; verifier: string },
): Promise<Consent | AuthorizationOutcome> {
  try {
    if (!(await isExpectedIssuer(ctx, provider, iss))) return "refused";
    const redirectUri = callbackUrl(ctx, provider.providerType);
    const { refreshToken, granted } = await exchangeCode(ctx, clientRegistration(ctx, provider), { code, redirectUri, verifier });
    return refreshToken === undefined ? "no_refresh_token" : { refreshToken, granted };
  } catch (error) {
    if (!isAppError(error)) throw error;
    ctx.log("warn", "ehr.code_not_taken", { providerId: provider.id, ...errorFields(error) });
    return error.code === "ehr_auth" || error.code === "ehr_invalid" ? "refused" : "unavailable";
  }
}

/**
 * Whether the code is from the expected server (RFC 9207), as far as the callback and the server's discovery name an issuer. A server that
 * lies in both gets a code and its verifier, which are useless without our client's credentials.
 */
const isExpectedIssuer = async (
  ctx: EhrRegistryContext,
  { baseUrl, tokenUrl }: FhirProviderRow,
  iss: string | undefined,
): Promise<boolean> => {
  const { issuer = iss } = iss === undefined ? {} : await discover(ctx, { baseUrl, tokenUrl });
  return issuer === iss;
};

/** True when the connection was changed meanwhile, and nothing was saved. */
async function saveConsent(ctx: EhrRegistryContext, provider: FhirProviderRow, { refreshToken, granted }: Consent): Promise<boolean> {
  const { id, ownerTenantId } = provider;
  const consentDigest = consentDigestOf(provider);
  const stored = await storeFhirSecret(`${id}/refresh-token`, refreshToken, ownerTenantId);
  const versionAtMs = ctx.clock().getTime();
  return retryOnStale(undefined, async () => {
    const row = await readFhirProvider(ctx, id, ownerTenantId);
    if (consentDigestOf(row) !== consentDigest) return true;
    const { version, asRead } = nextVersion(row, undefined);
    await ownerStore(ctx, ownerTenantId).commit(
      [
        put(keys.oauthGrant(id), { ...stored, versionAtMs, scope: granted, consentDigest }),
        update(keys.fhirProvider(id), { set: { consentDigest, version } }, asRead),
      ],
      auditOf(provider),
    );
    return false;
  });
}

const auditOf = ({ id }: FhirProviderRow) =>
  ({ category: "configuration_change", action: "fhirProvider.authorize", resourceType: "FhirProvider", resourceId: id }) as const;
