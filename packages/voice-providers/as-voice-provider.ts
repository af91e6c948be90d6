import type { VoiceProvider } from "@vitaline/contract";
import type { TenantContext, VoiceProviderRow } from "@vitaline/store";
import * as z from "zod/mini";
import { hookAddress } from "./hook.ts";

const Settings = z.record(z.string(), z.unknown());

/** A provider as people see it: of its secrets only that they are there. */
export const asVoiceProvider = (ctx: TenantContext, row: VoiceProviderRow, defaultId: string | undefined): VoiceProvider => ({
  id: row.id,
  tenantId: ctx.tenantId,
  providerType: row.providerType,
  providerName: row.providerName,
  config: {
    baseUrl: row.baseUrl ?? null,
    model: row.model ?? null,
    voice: row.voice ?? null,
    settings: Settings.parse(JSON.parse(row.settings)),
    hasApiKey: true,
    apiKeyLast4: row.apiKeyLast4 ?? null,
    hasWebhookSecret: row.hasWebhookSecret === true,
    webhookUrl: hookAddress(ctx.origin, row.providerType, row.id),
  },
  isDefault: row.id === defaultId,
  isActive: row.isActive,
  createdAt: row.createdAt,
  version: row.version ?? 1,
});
