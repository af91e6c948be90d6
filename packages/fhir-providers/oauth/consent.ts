import { readFhirSecret, replaceFhirSecret, seal, unseal } from "@vitaline/aws";
import { errorFields } from "@vitaline/core";
import { type AccessToken, type ClientRegistration, ehrError, refreshAccessToken } from "@vitaline/fhir";
import { type OAuthGrantRow, type FhirProviderRow, keys, update } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { consentDigestOf } from "../provider/credentials.ts";

/** With less time the response could be lost, and with it the new refresh token. */
const minRefreshMs = 2000;
/** Secrets Manager's long-term limit for new versions. https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html */
const versionIntervalMs = 600_000;

/**
 * An access token from the stored refresh token. A replaced refresh token is stored before the access token is used. The caller holds the
 * lease, so a refresh token is never used twice. AppError `ehr_auth` without a valid consent; `ehr_timeout` when there is too little time
 * to try.
 */
export async function refreshWithGrant(
  ctx: EhrRegistryContext,
  provider: FhirProviderRow,
  client: ClientRegistration,
): Promise<AccessToken> {
  const { id } = provider;
  const consent = await ctx.platform.get(keys.oauthGrant(id));
  if (consent?.consentDigest !== consentDigestOf(provider)) throw ehrError("ehr_auth");
  const refreshToken = await currentRefreshToken(provider, consent);
  if (ctx.deadline.remainingMs() < minRefreshMs) throw ehrError("ehr_timeout");
  // Without the caller's signal: an aborted request would lose the new refresh token.
  const { refreshToken: next, granted = consent.scope, ...token } = await refreshAccessToken(ctx, client, { refreshToken });
  if (next !== undefined && next !== refreshToken) await saveRefreshToken(ctx, provider, consent, next);
  return { ...token, granted };
}

/** The sealed one in the row is newer than the version in Secrets Manager. */
const currentRefreshToken = ({ id, ownerTenantId }: FhirProviderRow, consent: OAuthGrantRow): Promise<string> =>
  consent.sealed === undefined ? readFhirSecret(consent, ownerTenantId) : unseal("fhir-token", id, consent.sealed);

/** The row gets every refresh token, since an EHR may issue one every few minutes; Secrets Manager only within its limit. */
async function saveRefreshToken(
  ctx: EhrRegistryContext,
  { id, ownerTenantId }: FhirProviderRow,
  consent: OAuthGrantRow,
  next: string,
): Promise<void> {
  const key = keys.oauthGrant(id);
  // A new consent has brought a newer refresh token.
  const ifUnchanged = { equals: { versionId: consent.versionId } };
  const nowMs = ctx.clock().getTime();
  const isSaved = await ctx.platform.writeUnaudited(
    update<OAuthGrantRow>(key, { set: { sealed: await seal("fhir-token", id, next) } }, ifUnchanged),
  );
  if (!isSaved || nowMs - consent.versionAtMs < versionIntervalMs) return;
  try {
    const { versionId } = await replaceFhirSecret(consent, next, ownerTenantId);
    await ctx.platform.writeUnaudited(update<OAuthGrantRow>(key, { set: { versionId, versionAtMs: nowMs } }, ifUnchanged));
  } catch (error) {
    // The row has it; the next refresh copies again.
    ctx.log("warn", "ehr.refresh_token_not_copied", { providerId: id, ...errorFields(error) });
  }
}
