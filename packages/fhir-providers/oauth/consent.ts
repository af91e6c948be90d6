import { readFhirSecret, replaceFhirSecret, seal, unseal } from "@vitaline/aws";
import { errorFields } from "@vitaline/core";
import { type AccessToken, type ClientRegistration, ehrError, refreshAccessToken } from "@vitaline/fhir";
import { type FhirConsentRow, type FhirProviderRow, keys, update } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { consentDigest } from "../provider/client-registration.ts";

/** With less time than this the answer could be lost, and with it the refresh token that it brings. */
const neededMs = 2000;
/** How often Secrets Manager takes a new version for long. https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html */
const versionEveryMs = 600_000;

/**
 * An access token in the name of whoever has let us in. A refresh token that the EHR gives in place of the one before is stored
 * before its access token is used. The caller holds the lease, so that no refresh token is shown twice. AppError `ehr_auth` when
 * nobody has let us in at this connection, or the EHR has ended it; `ehr_timeout` when there is too little time to try.
 */
export async function refreshWithConsent(
  ctx: PlatformContext,
  provider: FhirProviderRow,
  client: ClientRegistration,
): Promise<AccessToken> {
  const { id } = provider;
  const consent = await ctx.platform.get(keys.fhirConsent(id));
  if (consent?.issuedFor !== consentDigest(provider)) throw ehrError("ehr_auth");
  const refreshToken = await newest(id, consent);
  if (ctx.deadline.remainingMs() < neededMs) throw ehrError("ehr_timeout");
  // Without the caller's signal: what is cut off here is lost for everybody.
  const { refreshToken: next, granted = consent.scope, ...token } = await refreshAccessToken(ctx, client, { refreshToken });
  if (next !== undefined && next !== refreshToken) await keepNext(ctx, id, consent, next);
  return { ...token, granted };
}

/** What the row holds came after what it pins in Secrets Manager. */
const newest = (id: string, consent: FhirConsentRow): Promise<string> =>
  consent.sealed === undefined ? readFhirSecret(consent) : unseal("fhir-token", id, consent.sealed);

/** Each goes into the row, as an EHR may give one every few minutes; into Secrets Manager only as often as that can take it. */
async function keepNext(ctx: PlatformContext, id: string, consent: FhirConsentRow, next: string): Promise<void> {
  const key = keys.fhirConsent(id);
  // Somebody who has let us in anew meanwhile has given us a better one.
  const ifStands = { equals: { versionId: consent.versionId } };
  const nowMs = ctx.clock().getTime();
  const isKept = await ctx.platform.note(update<FhirConsentRow>(key, { set: { sealed: await seal("fhir-token", id, next) } }, ifStands));
  if (!isKept || nowMs - consent.versionAtMs < versionEveryMs) return;
  try {
    const { versionId } = await replaceFhirSecret(consent, next);
    await ctx.platform.note(update<FhirConsentRow>(key, { set: { versionId, versionAtMs: nowMs } }, ifStands));
  } catch (error) {
    // The row has it: the next one tries again.
    ctx.log("warn", "ehr.refresh_token_not_copied", { providerId: id, ...errorFields(error) });
  }
}
