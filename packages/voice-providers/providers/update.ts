import { seal, unseal } from "@vitaline/aws";
import type { ChangedVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { AppError, notFound } from "@vitaline/core";
import {
  type HookRow,
  keys,
  nextVersion,
  onFreshRead,
  put,
  type TenantContext,
  type TenantRow,
  update,
  type VoiceProviderRow,
  type Write,
} from "@vitaline/store";
import { asVoiceProvider, baseAddress, endOf, listedRow } from "./voice-provider.ts";
import { asSwitched, defaultWrites } from "./default-provider.ts";
import { sealSigningSecret } from "./webhook.ts";

/**
 * Changes what is named and leaves the rest, secrets among it. AppError `not_found`; `invalid_request` for another type or a
 * base URL that may not be called; `stale_version` when `ifMatch` is not the row's version any more, or when somebody else
 * changed the tenant's default, or switched the tenant, while this did.
 */
export async function updateVoiceProvider(
  ctx: TenantContext,
  id: string,
  input: ChangedVoiceProvider,
  ifMatch: number | undefined,
): Promise<VoiceProvider> {
  const sealedKey = input.config?.apiKey && (await seal("voice-provider-key", ctx.tenantId, input.config.apiKey));
  // Not read again for another try: whoever changes the default is told that it is not any more what they saw.
  const tenant = await ctx.store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  return onFreshRead(ifMatch, () => updateOnce(ctx, tenant, id, input, sealedKey, ifMatch));
}

async function updateOnce(
  ctx: TenantContext,
  tenant: TenantRow,
  id: string,
  input: ChangedVoiceProvider,
  sealedKey: string | undefined,
  ifMatch: number | undefined,
): Promise<VoiceProvider> {
  const row = await ctx.store.get(keys.voiceProvider(id));
  if (!row) throw notFound();
  const { version, asRead } = nextVersion(row, ifMatch);
  const changed: VoiceProviderRow = { ...changedRow(row, input), version };
  const named = defaultWrites(tenant, id, input.isDefault);
  const writes = [
    put(keys.voiceProvider(id), changed, asRead),
    put(keys.voiceProviderDirectory(id), listedRow(ctx.tenantId, changed)),
    ...(sealedKey ? [put(keys.sealedVoiceKey(id), { ciphertext: sealedKey })] : []),
    await hookWrite(ctx, tenant, changed, input),
    ...(named.length > 0 ? named : [asSwitched(tenant)]),
  ];
  const isDefault = input.isDefault ?? tenant.defaultVoiceProviderId === id;
  await ctx.store.commit(writes, {
    category: "configuration_change",
    action: "voiceProvider.update",
    resourceType: "VoiceProvider",
    resourceId: id,
    detail: {
      isDefault,
      isActive: changed.isActive,
      apiKeyChanged: sealedKey !== undefined,
      webhookSecretChanged: input.webhookSecret !== undefined || input.removeWebhookSecret === true,
    },
  });
  return asVoiceProvider(ctx, changed, isDefault ? id : undefined);
}

/**
 * The hook as the provider is now. Its secret changes with the webhook secret; at Retell AI, while there is none, it is the API
 * key. Whole, also where the provider is from before there were hooks.
 */
async function hookWrite(ctx: TenantContext, tenant: TenantRow, row: VoiceProviderRow, input: ChangedVoiceProvider): Promise<Write> {
  const { id, providerType, isActive, hasWebhookSecret } = row;
  const webhookSecret = input.removeWebhookSecret ? undefined : input.webhookSecret;
  const isKeySigning = providerType === "retellai" && !hasWebhookSecret;
  const apiKey = isKeySigning ? input.config?.apiKey || (await keyOf(ctx, id)) : undefined;
  const ciphertext = await sealSigningSecret(ctx, providerType, { webhookSecret, apiKey });
  const isRemoved = input.removeWebhookSecret && ciphertext === undefined;
  return update<HookRow>(keys.hook(id), {
    set: {
      ...{ tenantId: ctx.tenantId, providerType, isActive },
      ...(ciphertext ? { ciphertext } : {}),
      ...(tenant.isActive ? {} : { suspended: true }),
    },
    ...(isRemoved ? { remove: ["ciphertext"] } : {}),
  });
}

const keyOf = async (ctx: TenantContext, id: string): Promise<string | undefined> => {
  const sealed = await ctx.store.get(keys.sealedVoiceKey(id));
  return sealed && unseal("voice-provider-key", ctx.tenantId, sealed.ciphertext);
};

/** null clears, undefined keeps. */
const kept = <T>(given: T | null | undefined, before: T | undefined): T | undefined =>
  given === undefined ? before : (given ?? undefined);

/** A key goes to the address that it was typed for. */
const keyForElsewhere = () =>
  new AppError("invalid_request", "The address has changed, so please type the API key again.", {
    fields: { "config.apiKey": "Is required for another address" },
  });

const changedRow = (row: VoiceProviderRow, input: ChangedVoiceProvider): VoiceProviderRow => {
  if (input.providerType !== undefined && input.providerType !== row.providerType)
    throw new AppError("invalid_request", "A provider's type cannot change. Please add another provider.", {
      fields: { providerType: "Cannot change" },
    });
  const { apiKey, baseUrl: typed, model, voice, settings } = input.config ?? {};
  const baseUrl = kept(typed && baseAddress(typed), row.baseUrl);
  if (baseUrl !== row.baseUrl && !apiKey) throw keyForElsewhere();
  return {
    ...row,
    providerName: input.providerName ?? row.providerName,
    baseUrl,
    model: kept(model, row.model),
    voice: kept(voice, row.voice),
    settings: settings ? JSON.stringify(settings) : row.settings,
    apiKeyLast4: apiKey ? endOf(apiKey) : row.apiKeyLast4,
    hasWebhookSecret: input.removeWebhookSecret ? false : input.webhookSecret !== undefined || row.hasWebhookSecret,
    isActive: input.isActive ?? row.isActive,
  };
};
