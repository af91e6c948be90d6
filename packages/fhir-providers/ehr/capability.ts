import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { CallOptions, CapabilitySummary } from "@vitaline/fhir";
import { type FhirCapabilityRow, type FhirProviderRow, keys } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { connectionDigest } from "../provider/credentials.ts";
import type { EhrRequestContext } from "./access-token.ts";
import { cachedLocally, createLocalCache, getShared, replaceShared, type SharedValue } from "./shared-value.ts";

const lifetimeMs = 3_600_000;
const cache = createLocalCache<CapabilitySummary>();

type Endpoint = "main" | "scheduling";
type Ask = (options: CallOptions) => Promise<CapabilitySummary>;

export const isCapabilityCached = (ctx: EhrRegistryContext, providerId: string): boolean =>
  cachedLocally(ctx, cache, keys.fhirCapability(providerId, "main")) !== undefined;

/**
 * Reads the server's capabilities for createFhirClient: cached for an hour or until the connection changes; only one function instance requests at a
 * time. `knownRow`: the row as the caller already read it, null if absent.
 */
export const sharedCapabilityReader =
  (ctx: EhrRequestContext, provider: FhirProviderRow, endpoint: Endpoint, knownRow?: FhirCapabilityRow | null) =>
  (ask: Ask, { signal }: CallOptions = {}): Promise<CapabilitySummary> =>
    getShared(ctx, capabilityValue(ctx, provider, endpoint, ask), { knownRow, signal });

/** Stores a new capability for all instances, unless this instance stored the same one within the last half hour. */
export async function saveCapability(ctx: EhrRegistryContext, provider: FhirProviderRow, summary: CapabilitySummary): Promise<void> {
  const current = toHeld(ctx, provider, summary);
  const known = cachedLocally(ctx, cache, keys.fhirCapability(provider.id, "main"));
  const isRecent = known?.issuedFor === current.issuedFor && known.untilMs > current.untilMs - lifetimeMs / 2;
  if (isRecent && JSON.stringify(known.value) === JSON.stringify(summary)) return;
  await replaceShared(
    ctx,
    capabilityValue(ctx, provider, "main", async () => summary),
    current,
  );
}

const toHeld = (ctx: EhrRegistryContext, provider: FhirProviderRow, value: CapabilitySummary) => ({
  value,
  issuedFor: connectionDigest(provider),
  untilMs: ctx.clock().getTime() + lifetimeMs,
});

function capabilityValue(
  ctx: EhrRequestContext,
  provider: FhirProviderRow,
  endpoint: Endpoint,
  ask: Ask,
): SharedValue<CapabilitySummary, FhirCapabilityRow> {
  return {
    cache,
    key: keys.fhirCapability(provider.id, endpoint),
    issuedFor: connectionDigest(provider),
    check: () => ctx.circuit?.check(new URL(provider.baseUrl).origin),
    async decode({ stated, issuedFor = "", untilMs = 0 }) {
      return stated === undefined ? undefined : { value: decompress(stated), issuedFor, untilMs };
    },
    fetch: async (signal) => toHeld(ctx, provider, await ask({ signal })),
    encode: async ({ value, issuedFor, untilMs }) => ({ stated: compress(value), issuedFor, untilMs }),
  };
}

/** A CapabilityStatement is repetitive, and DynamoDB bills by size. */
const compress = (summary: CapabilitySummary): string => deflateRawSync(JSON.stringify(summary)).toString("base64");
const decompress = (text: string): CapabilitySummary =>
  JSON.parse(inflateRawSync(Buffer.from(text, "base64")).toString()) as CapabilitySummary;
