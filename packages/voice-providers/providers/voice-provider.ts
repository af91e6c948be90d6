import type { VoiceProvider } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { isCallable } from "@vitaline/outbound";
import type { TenantContext, VoiceProviderDirectoryRow, VoiceProviderRow } from "@vitaline/store";
import * as z from "zod/mini";
import { hookUrl } from "./webhook.ts";

const Settings = z.record(z.string(), z.unknown());

/** Secrets are left out. */
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
    webhookUrl: hookUrl(ctx.origin, row.providerType, row.id),
  },
  isDefault: row.id === defaultId,
  isActive: row.isActive,
  createdAt: row.createdAt,
  version: row.version ?? 1,
});

const minLengthForLastFour = 12;

/** undefined for a short key, which it would give away. */
export const lastFour = (apiKey: string): string | undefined => (apiKey.length < minLengthForLastFour ? undefined : apiKey.slice(-4));

/** Without a trailing slash. AppError `invalid_request` for an address that the outbound guard refuses. */
export function normalizeBaseUrl(typed: string): string {
  if (!isCallable(typed)) throw invalidBaseUrl("Must be an https address on the public internet, without user name or password");
  const url = new URL(typed);
  if (url.search || url.hash) throw invalidBaseUrl("Must not hold a query or fragment");
  return url.href.replace(/\/+$/, "");
}

const invalidBaseUrl = (text: string): AppError =>
  new AppError("invalid_request", "Please check the address of the voice platform.", { fields: { "config.baseUrl": text } });

export const directoryRow = (
  tenantId: string,
  { id, providerType, providerName, isActive, createdAt }: VoiceProviderRow,
): VoiceProviderDirectoryRow => ({
  tenantId,
  id,
  providerType,
  providerName,
  isActive,
  createdAt,
});
