import type { VoiceProvider } from "@vitaline/contract";
import type { TenantContext, VoiceProviderDirectoryRow, VoiceProviderRow } from "@vitaline/store";
import * as z from "zod/mini";
import { AppError } from "@vitaline/core";
import { isCallable } from "@vitaline/outbound";
import { hookAddress } from "./webhook.ts";

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

const leastForEnd = 12;

/** The end of a key, by which its owner knows it again; of a short one it would be too much. */
export const endOf = (apiKey: string): string | undefined => (apiKey.length < leastForEnd ? undefined : apiKey.slice(-4));

/** A typed base URL as paths are appended to it. AppError `invalid_request` for one that the outbound guard would refuse. */
export function baseAddress(typed: string): string {
  if (!isCallable(typed)) throw refused("Must be an https address on the public internet, without user name or password");
  const url = new URL(typed);
  if (url.search || url.hash) throw refused("Must not hold a query or fragment");
  return url.href.replace(/\/+$/, "");
}

const refused = (text: string): AppError =>
  new AppError("invalid_request", "Please check the address of the voice platform.", { fields: { "config.baseUrl": text } });

/** The row's entry in the list over all tenants. */
export const listedRow = (
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
