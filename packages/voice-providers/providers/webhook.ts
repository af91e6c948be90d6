import { seal } from "@vitaline/aws";
import type { VoiceProviderType } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";

const steps: Readonly<Record<VoiceProviderType, string>> = {
  vapi: "vapi",
  retellai: "retell",
  elevenlabs: "elevenlabs",
  openai: "openai",
};

/** The path of the route that takes what a platform signs. */
export const hookPath = (providerType: VoiceProviderType): string => `/api/${steps[providerType]}/hook/{voiceProviderId}`;

/** Where a platform sends what it signs for this provider. */
export const hookAddress = (origin: string, providerType: VoiceProviderType, id: string): string =>
  origin + hookPath(providerType).replace("{voiceProviderId}", id);

/** Shorter ones can be tried out. */
const leastCharacters = 16;
/** OpenAI's secrets are Standard Webhooks': the key in base64 behind a prefix. */
const openAiSecret = /^(whsec_)?[A-Za-z0-9+/]{22,}={0,2}$/;

const refuseWeak = (providerType: VoiceProviderType, secret: string): void => {
  const flaw =
    secret.length < leastCharacters
      ? `Must be at least ${leastCharacters} characters`
      : providerType === "openai" && !openAiSecret.test(secret)
        ? "Must be the signing secret as OpenAI shows it, whsec_…"
        : undefined;
  if (flaw) throw new AppError("invalid_request", "Please check the webhook secret.", { fields: { webhookSecret: flaw } });
};

/**
 * What a platform signs with, sealed: the webhook secret; Retell AI signs with the API key itself where no other is given.
 * undefined: neither was typed. AppError `invalid_request` for a secret that could be guessed, or cannot be the platform's.
 * Source: retell-sdk 5.66.1 verify.
 */
export async function sealSigningSecret(
  ctx: TenantContext,
  providerType: VoiceProviderType,
  { apiKey, webhookSecret }: { apiKey?: string | undefined; webhookSecret?: string | undefined },
): Promise<string | undefined> {
  if (webhookSecret !== undefined) refuseWeak(providerType, webhookSecret);
  const secret = webhookSecret ?? (providerType === "retellai" ? apiKey : undefined);
  return secret && (await seal("webhook", ctx.tenantId, secret));
}
