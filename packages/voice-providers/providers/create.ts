import { seal } from "@vitaline/aws";
import type { NewVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { AppError, newId, notFound } from "@vitaline/core";
import { create, type HookRow, keys, type TenantContext, type VoiceProviderRow } from "@vitaline/store";
import { maxVoiceProviders } from "@vitaline/tenants";
import { countNewProvider } from "./default-provider.ts";
import { asVoiceProvider, directoryRow, lastFour, normalizeBaseUrl, sealSigningSecret } from "./voice-provider.ts";

const tooMany = () =>
  new AppError("not_doable", `An organization can have ${maxVoiceProviders} voice providers. Please change or delete one of them instead.`);

const countProviders = async (ctx: TenantContext): Promise<number> => {
  const { rows } = await ctx.store.query(keys.tenantPartitions.config(ctx.tenantId), { prefix: "VOICE#", limit: maxVoiceProviders });
  return rows.length;
};

/**
 * The API key and webhook secret are stored sealed. AppError `not_found` for an unknown tenant, `invalid_request` for a base URL
 * that may not be called, `not_doable` for one provider too many, `stale_version` if another administrator changes the default,
 * adds a provider or deactivates the tenant at the same time.
 */
export async function createVoiceProvider(ctx: TenantContext, input: NewVoiceProvider): Promise<VoiceProvider> {
  const { providerType, providerName, config, webhookSecret, isDefault, isActive } = input;
  const tenant = await ctx.store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  const existing = tenant.voiceProviderCount ?? (await countProviders(ctx));
  if (existing >= maxVoiceProviders) throw tooMany();
  const id = newId(ctx.clock().getTime());
  const row: VoiceProviderRow = {
    id,
    providerType,
    providerName,
    baseUrl: config.baseUrl ? normalizeBaseUrl(config.baseUrl) : undefined,
    model: config.model ?? undefined,
    voice: config.voice ?? undefined,
    settings: JSON.stringify(config.settings),
    apiKeyLast4: lastFour(config.apiKey),
    hasWebhookSecret: webhookSecret !== undefined,
    isActive,
    createdAt: ctx.clock().toISOString(),
    version: 1,
  };
  const sealedKey = await seal("voice-provider-key", ctx.tenantId, config.apiKey);
  const ciphertext = await sealSigningSecret(ctx, providerType, { apiKey: config.apiKey, webhookSecret });
  const hook: HookRow = {
    tenantId: ctx.tenantId,
    providerType,
    isActive,
    ...(tenant.isActive ? {} : { suspended: true }),
    ...(ciphertext ? { ciphertext } : {}),
  };
  const writes = [
    countNewProvider(tenant, existing, isDefault ? id : undefined),
    create(keys.voiceProvider(id), row),
    create(keys.voiceProviderDirectory(id), directoryRow(ctx.tenantId, row)),
    create(keys.ref(id), { tenantId: ctx.tenantId, kind: "voiceProvider" }),
    create(keys.sealedVoiceKey(id), { ciphertext: sealedKey }),
    create(keys.hook(id), hook),
  ];
  await ctx.store.commit(writes, {
    category: "configuration_change",
    action: "voiceProvider.create",
    resourceType: "VoiceProvider",
    resourceId: id,
    detail: { providerType, isDefault, isActive, webhookSecret: webhookSecret !== undefined },
  });
  return asVoiceProvider(ctx, row, isDefault ? id : undefined);
}
