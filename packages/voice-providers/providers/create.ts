import { seal } from "@vitaline/aws";
import type { NewVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { AppError, newId, notFound } from "@vitaline/core";
import { create, type HookRow, keys, type TenantContext, type VoiceProviderRow } from "@vitaline/store";
import { mostVoiceProviders } from "@vitaline/tenants";
import { asVoiceProvider, baseAddress, endOf, listedRow } from "./voice-provider.ts";
import { countOneMore } from "./default-provider.ts";
import { sealSigningSecret } from "./webhook.ts";

const oneTooMany = () =>
  new AppError("not_doable", `A tenant can have ${mostVoiceProviders} voice providers. Please change one of them instead.`);

const countFound = async (ctx: TenantContext): Promise<number> => {
  const { rows } = await ctx.store.query(keys.tenantPartitions.config(ctx.tenantId), { prefix: "VOICE#", limit: mostVoiceProviders });
  return rows.length;
};

/**
 * A tenant's account at a voice platform; its key and webhook secret go into the vault and come out for the platform alone.
 * AppError `not_found` for an unknown tenant, `invalid_request` for a base URL that may not be called, `stale_version` when
 * somebody else names another default, switches the tenant or makes its last provider at the same time: nothing is made then;
 * `not_doable` for one too many.
 */
export async function createVoiceProvider(ctx: TenantContext, input: NewVoiceProvider): Promise<VoiceProvider> {
  const { providerType, providerName, config, webhookSecret, isDefault, isActive } = input;
  const tenant = await ctx.store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  const found = tenant.voiceProviders ?? (await countFound(ctx));
  if (found >= mostVoiceProviders) throw oneTooMany();
  const id = newId(ctx.clock().getTime());
  const row: VoiceProviderRow = {
    id,
    providerType,
    providerName,
    baseUrl: config.baseUrl ? baseAddress(config.baseUrl) : undefined,
    model: config.model ?? undefined,
    voice: config.voice ?? undefined,
    settings: JSON.stringify(config.settings),
    apiKeyLast4: endOf(config.apiKey),
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
    countOneMore(tenant, found, isDefault ? id : undefined),
    create(keys.voiceProvider(id), row),
    create(keys.voiceProviderDirectory(id), listedRow(ctx.tenantId, row)),
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
