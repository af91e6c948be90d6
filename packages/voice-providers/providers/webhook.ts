import { seal } from "@vitaline/aws";
import type { VoiceProviderType } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import type { TenantContext } from "@vitaline/store";

const pathSegments: Readonly<Record<VoiceProviderType, string>> = {
  vapi: "vapi",
  retellai: "retell",
  elevenlabs: "elevenlabs",
  openai: "openai",
};

/** Route of the platform's signed requests. */
export const hookPath = (providerType: VoiceProviderType): string => `/api/${pathSegments[providerType]}/hook/{voiceProviderId}`;

export const hookUrl = (origin: string, providerType: VoiceProviderType, id: string): string =>
  origin + hookPath(providerType).replace("{voiceProviderId}", id);

/** Shorter secrets can be guessed. */
const minCharacters = 16;
/** Standard Webhooks: base64 behind a prefix. */
const openAiSecret = /^(whsec_)?[A-Za-z0-9+/]{22,}={0,2}$/;

const refuseWeak = (providerType: VoiceProviderType, secret: string): void => {
  const problem =
    secret.length < minCharacters
      ? `Must be at least ${minCharacters} characters`
      : providerType === "openai" && !openAiSecret.test(secret)
        ? "Must be the signing secret as OpenAI shows it, whsec_…"
        : undefined;
  if (problem) throw new AppError("invalid_request", "Please check the webhook secret.", { fields: { webhookSecret: problem } });
};

/**
 * The sealed webhook secret; without one, Retell AI signs with the API key. undefined if none was given. AppError `invalid_request`
 * for a secret that is too short or not of the platform's format. Source: retell-sdk 5.66.1 verify.
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
