import { logWith } from "@vitaline/core";
import { createFhirClient, ehrError, type FhirClient } from "@vitaline/fhir";
import { keys, type FhirProviderRow, type FhirTokenRow, type TenantRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { accessToken, tokenKey } from "./access-token.ts";
import { lockSlot, releaseSlot, type SlotLock } from "./slot-lock.ts";

/** A tenant's record system, and the locks that keep two calls from booking one slot. */
export type Ehr = FhirClient & {
  providerId: string;
  /**
   * "ours": the slot is now kept for `owner` and this request, for two minutes at most; "theirs": for another owner;
   * "busy": another request of the same owner is at it. `after` names a request of the owner that has ended.
   */
  lockSlot(slotId: string, owner: string, after?: string): Promise<SlotLock>;
  /** Gives back what this request keeps for `owner`; with "any", what whichever request keeps. */
  releaseSlot(slotId: string, owner: string, of?: "any"): Promise<void>;
};

const cacheMs = 30_000;
type Known = { provider?: FhirProviderRow; token?: FhirTokenRow; untilMs: number };
const cached = new Map<string, Known>();

/** A provider with its token row, in one read; up to 30 s old. */
async function readProvider(ctx: PlatformContext, providerId: string): Promise<Known> {
  const nowMs = ctx.clock().getTime();
  const known = cached.get(providerId);
  if (known && known.untilMs > nowMs) return known;
  const [provider, token] = await ctx.platform.batchGet([keys.fhirProvider(providerId), tokenKey(providerId)]);
  const read = { provider, token, untilMs: nowMs + cacheMs };
  cached.set(providerId, read);
  return read;
}

/**
 * The record system of a tenant: its default provider, never another one. `officeId` only names the office in the log, as an
 * office has no provider of its own. AppError `ehr_not_configured` without a provider or with an inactive one,
 * `ehr_unsupported` for another FHIR version than R4.
 */
export async function openEhr(ctx: PlatformContext, tenant: TenantRow, officeId?: string): Promise<Ehr> {
  const providerId = tenant.fhirProviderId;
  if (!providerId) throw ehrError("ehr_not_configured");
  const { provider, token } = await readProvider(ctx, providerId);
  if (!provider?.isActive) throw ehrError("ehr_not_configured");
  if (provider.fhirVersion !== "R4") throw ehrError("ehr_unsupported");
  const own = { ...ctx, log: logWith(ctx.log, { providerId, officeId }) };
  return {
    ...createFhirClient(own, {
      baseUrl: provider.baseUrl,
      accessToken: (options) => accessToken(own, provider, { ...options, seen: token }),
    }),
    providerId,
    lockSlot: (slotId, owner, after) => lockSlot(ctx, providerId, slotId, owner, after),
    releaseSlot: (slotId, owner, of) => releaseSlot(ctx, providerId, slotId, owner, of),
  };
}
