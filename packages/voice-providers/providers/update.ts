import { seal, unseal } from "@vitaline/aws";
import type { ChangedVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { AppError, notFound } from "@vitaline/core";
import {
  type HookRow,
  keys,
  nextVersion,
  put,
  retryOnStale,
  type TenantContext,
  type TenantRow,
  update,
  type VoiceProviderRow,
  type Write,
} from "@vitaline/store";
import { defaultWrites, tenantStateUnchanged } from "./default-provider.ts";
import { asVoiceProvider, directoryRow, lastFour, normalizeBaseUrl, sealSigningSecret } from "./voice-provider.ts";

/**
 * Keeps omitted fields and secrets. AppError `not_found`; `invalid_request` for another type or a base URL that may not be called;
 * `stale_version` if `ifMatch` is not the current version, or if the tenant's default or state changed meanwhile.
 */
export async function updateVoiceProvider(
  ctx: TenantContext,
  id: string,
  input: ChangedVoiceProvider,
  ifMatch: number | undefined,
): Promise<VoiceProvider> {
  const sealedKey = input.config?.apiKey && (await seal("voice-provider-key", ctx.tenantId, input.config.apiKey));
  // Read once, not per retry: a concurrent change of the default has to be reported.
  const tenant = await ctx.store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  return retryOnStale(ifMatch, () => updateOnce(ctx, tenant, id, input, sealedKey, ifMatch));
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
  const defaultChange = defaultWrites(tenant, id, input.isDefault);
  const writes = [
    put(keys.voiceProvider(id), changed, asRead),
    put(keys.voiceProviderDirectory(id), directoryRow(ctx.tenantId, changed)),
    ...(sealedKey ? [put(keys.sealedVoiceKey(id), { ciphertext: sealedKey })] : []),
    await hookWrite(ctx, tenant, changed, input),
    ...(defaultChange.length > 0 ? defaultChange : [tenantStateUnchanged(tenant)]),
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

/** Time to change the secret at the platform and here. */
const previousMs = 3_600_000;

/** The hook's secret follows the webhook secret; without one, Retell AI signs with the API key. */
async function hookWrite(ctx: TenantContext, tenant: TenantRow, row: VoiceProviderRow, input: ChangedVoiceProvider): Promise<Write> {
  const { id, providerType, isActive, hasWebhookSecret } = row;
  const webhookSecret = input.removeWebhookSecret ? undefined : input.webhookSecret;
  const isKeySigning = providerType === "retellai" && !hasWebhookSecret;
  const apiKey = isKeySigning ? input.config?.apiKey || (await readApiKey(ctx, id)) : undefined;
  const ciphertext = await sealSigningSecret(ctx, providerType, { webhookSecret, apiKey });
  const isRemoved = input.removeWebhookSecret && ciphertext === undefined;
  const isReplaced = !input.removeWebhookSecret && (webhookSecret !== undefined || (isKeySigning && Boolean(input.config?.apiKey)));
  const before = isReplaced ? (await ctx.store.get(keys.hook(id)))?.ciphertext : undefined;
  return update<HookRow>(keys.hook(id), {
    set: {
      ...{ tenantId: ctx.tenantId, providerType, isActive },
      ...(ciphertext ? { ciphertext } : {}),
      ...(ciphertext && before ? { previous: { ciphertext: before, untilMs: ctx.clock().getTime() + previousMs } } : {}),
      ...(tenant.isActive ? {} : { suspended: true }),
    },
    ...(isRemoved ? { remove: ["ciphertext", "previous"] } : input.removeWebhookSecret ? { remove: ["previous"] } : {}),
  });
}

const readApiKey = async (ctx: TenantContext, id: string): Promise<string | undefined> => {
  const sealed = await ctx.store.get(keys.sealedVoiceKey(id));
  return sealed && unseal("voice-provider-key", ctx.tenantId, sealed.ciphertext);
};

/** null clears, undefined keeps. */
const mergeField = <T>(given: T | null | undefined, before: T | undefined): T | undefined =>
  given === undefined ? before : (given ?? undefined);

/** The stored key must not be sent to an address that it was not entered for. */
const keyRequired = () =>
  new AppError("invalid_request", "The address has changed, so please enter the API key again.", {
    fields: { "config.apiKey": "Is required for another address" },
  });

const changedRow = (row: VoiceProviderRow, input: ChangedVoiceProvider): VoiceProviderRow => {
  if (input.providerType !== undefined && input.providerType !== row.providerType)
    throw new AppError("invalid_request", "A provider's type cannot change. Please add another provider.", {
      fields: { providerType: "Cannot change" },
    });
  const { apiKey, baseUrl: typed, model, voice, settings } = input.config ?? {};
  const baseUrl = mergeField(typed && normalizeBaseUrl(typed), row.baseUrl);
  if (baseUrl !== row.baseUrl && !apiKey) throw keyRequired();
  return {
    ...row,
    providerName: input.providerName ?? row.providerName,
    baseUrl,
    model: mergeField(model, row.model),
    voice: mergeField(voice, row.voice),
    settings: settings ? JSON.stringify(settings) : row.settings,
    apiKeyLast4: apiKey ? lastFour(apiKey) : row.apiKeyLast4,
    hasWebhookSecret: input.removeWebhookSecret ? false : input.webhookSecret !== undefined || row.hasWebhookSecret,
    isActive: input.isActive ?? row.isActive,
  };
};
