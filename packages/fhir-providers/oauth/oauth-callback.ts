import { storeFhirSecret } from "@vitaline/aws";
import type { FhirProvider } from "@vitaline/contract";
import { errorFields, isAppError } from "@vitaline/core";
import { discover, exchangeCode } from "@vitaline/fhir";
import { whoIsIn } from "@vitaline/sessions";
import { type FhirProviderRow, keys, nextVersion, type OAuthStateRow, onFreshRead, put, remove, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { clientRegistration, connectionDigest, consentDigest } from "../provider/client-registration.ts";
import { ownerStore, readFhirProvider } from "../provider/provider-row.ts";
import { browserDigest, callbackUrl } from "./authorize.ts";

/**
 * What came of letting us in: "connected"; "expired": this way back is over, used, or of another browser or session; "changed": the
 * connection is another one since; "denied": the EHR says no; "no_refresh_token": it lets us in for once only; "refused": it does
 * not take its own code; "unavailable": it could not be asked.
 */
export type Authorized = "connected" | "expired" | "changed" | "denied" | "no_refresh_token" | "refused" | "unavailable";
type Outcome = { outcome: Authorized; providerId?: string; isTenants?: boolean };
type Returned = { state?: string | undefined; code?: string | undefined; error?: string | undefined; iss?: string | undefined };

/**
 * The way back from an EHR's sign-in page, once for each state: the code becomes tokens, the refresh token goes to Secrets Manager.
 * Audited as an act of whoever began, in the log of the tenant that keeps the provider, else in the platform's. Throws only for
 * what is our own fault.
 */
export async function endAuthorization(
  ctx: PlatformContext,
  vendor: FhirProvider["providerType"],
  { state = "", code, error, iss }: Returned,
  browser: string | undefined,
): Promise<Outcome> {
  const begun = await takeState(ctx, state, browser);
  const user = begun && (await whoIsIn(ctx, begun));
  if (!begun || !user) return { outcome: "expired" };
  const { providerId, tenantId } = begun;
  const told = { providerId, isTenants: tenantId !== undefined };
  const provider = await readFhirProvider(ctx, providerId, tenantId).catch((failure: unknown) => {
    if (isAppError(failure, "not_found")) return undefined;
    throw failure;
  });
  if (provider?.providerType !== vendor || connectionDigest(provider) !== begun.connection) return { outcome: "changed", ...told };

  const actor = { kind: "user", id: user.id, role: user.role, tenantId: user.tenantId } as const;
  const theirs: PlatformContext = { ...ctx, actor, platform: ctx.platform.as(actor) };
  const given =
    code === undefined || error !== undefined ? "denied" : await redeem(theirs, provider, { code, iss, verifier: begun.verifier });
  if (typeof given === "string") {
    await ownerStore(theirs, provider.ownerTenantId).commit([], { ...auditOf(provider), success: false, code: given });
    return { outcome: given, ...told };
  }
  const changed = await keepConsent(theirs, provider, given);
  return { outcome: changed ? "changed" : "connected", ...told };
}

/** Whoever has the state and is the browser that it was made for takes it away; nobody else does. */
async function takeState(ctx: PlatformContext, state: string, browser: string | undefined): Promise<OAuthStateRow | undefined> {
  if (state === "" || browser === undefined) return undefined;
  const key = keys.oauthState(state);
  const row = await ctx.platform.get<OAuthStateRow>(key);
  if (row?.browser !== browserDigest(browser)) return undefined;
  return (await ctx.platform.note(remove(key, { exists: true }))) ? row : undefined;
}

type Given = { refreshToken: string; granted?: string | undefined };

async function redeem(
  ctx: PlatformContext,
  provider: FhirProviderRow,
  { code, iss, verifier }: { code: string; iss: string | undefined; verifier: string },
): Promise<Given | Authorized> {
  try {
    if (!(await isTheirs(ctx, provider, iss))) return "refused";
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
 * Whether a code comes from the server that its state was made for (RFC 9207), as far as the page and the server's discovery say who
 * they are. A server may lie in both: it then gets a code and its verifier, of no use without our client's secret or key at the other.
 */
const isTheirs = async (ctx: PlatformContext, { baseUrl, tokenUrl }: FhirProviderRow, iss: string | undefined): Promise<boolean> => {
  const { issuer = iss } = iss === undefined ? {} : await discover(ctx, { baseUrl, tokenUrl });
  return issuer === iss;
};

/** Keeps what we were given, unless the connection was changed on the way: then true. */
async function keepConsent(ctx: PlatformContext, provider: FhirProviderRow, { refreshToken, granted }: Given): Promise<boolean> {
  const { id, ownerTenantId } = provider;
  const issuedFor = consentDigest(provider);
  const stored = await storeFhirSecret(`${id}/refresh-token`, refreshToken);
  const versionAtMs = ctx.clock().getTime();
  return onFreshRead(undefined, async () => {
    const row = await readFhirProvider(ctx, id, ownerTenantId);
    if (consentDigest(row) !== issuedFor) return true;
    const { version, asRead } = nextVersion(row, undefined);
    await ownerStore(ctx, ownerTenantId).commit(
      [
        put(keys.fhirConsent(id), { ...stored, versionAtMs, scope: granted, issuedFor }),
        update(keys.fhirProvider(id), { set: { authorizedFor: issuedFor, version } }, asRead),
      ],
      auditOf(provider),
    );
    return false;
  });
}

const auditOf = ({ id }: FhirProviderRow) =>
  ({ category: "configuration_change", action: "fhirProvider.authorize", resourceType: "FhirProvider", resourceId: id }) as const;
