import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { CallOptions, CapabilitySummary } from "@vitaline/fhir";
import { type FhirCapabilityRow, type FhirProviderRow, keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { connectionDigest } from "../provider/client-registration.ts";
import { emptyMemory, heldHere, replaceShared, shared, type Shared } from "./lease.ts";

const lifetimeMs = 3_600_000;
const memory = emptyMemory<CapabilitySummary>();

type Place = "main" | "scheduling";
type Ask = (options: CallOptions) => Promise<CapabilitySummary>;

/** Whether this instance knows what a provider's server can do without reading its row. */
export const isCapabilityCached = (ctx: PlatformContext, providerId: string): boolean =>
  heldHere(ctx, memory, keys.fhirCapability(providerId, "main")) !== undefined;

/**
 * What a provider's server can do: known for an hour, or until the connection changes; of all function instances one asks at a
 * time. `seen` is the row as it was read with the provider's, null where there was none.
 */
export const sharedCapabilityReader =
  (ctx: PlatformContext, provider: FhirProviderRow, place: Place, seen?: FhirCapabilityRow | null) =>
  (ask: Ask, { signal }: CallOptions = {}): Promise<CapabilitySummary> =>
    shared(ctx, sharedCapability(ctx, provider, place, ask), { seen, signal });

/** Keeps what a server has just said of itself, for all instances. Who asks it every few minutes need not write the same each time. */
export async function saveCapability(ctx: PlatformContext, provider: FhirProviderRow, stated: CapabilitySummary): Promise<void> {
  const now = heldNow(ctx, provider, stated);
  const known = heldHere(ctx, memory, keys.fhirCapability(provider.id, "main"));
  const isYoung = known?.issuedFor === now.issuedFor && known.untilMs > now.untilMs - lifetimeMs / 2;
  if (isYoung && JSON.stringify(known.value) === JSON.stringify(stated)) return;
  await replaceShared(
    ctx,
    sharedCapability(ctx, provider, "main", async () => stated),
    now,
  );
}

const heldNow = (ctx: PlatformContext, provider: FhirProviderRow, value: CapabilitySummary) => ({
  value,
  issuedFor: connectionDigest(provider),
  untilMs: ctx.clock().getTime() + lifetimeMs,
});

function sharedCapability(
  ctx: PlatformContext,
  provider: FhirProviderRow,
  place: Place,
  ask: Ask,
): Shared<CapabilitySummary, FhirCapabilityRow> {
  return {
    memory,
    key: keys.fhirCapability(provider.id, place),
    issuedFor: connectionDigest(provider),
    async open({ stated, issuedFor = "", untilMs = 0 }) {
      return stated === undefined ? undefined : { value: unpacked(stated), issuedFor, untilMs };
    },
    make: async (signal) => heldNow(ctx, provider, await ask({ signal })),
    close: async ({ value, issuedFor, untilMs }) => ({ stated: packed(value), issuedFor, untilMs }),
  };
}

/** A row is paid for by its size, and a statement repeats itself. The cast states what `packed` has put there. */
const packed = (stated: CapabilitySummary): string => deflateRawSync(JSON.stringify(stated)).toString("base64");
const unpacked = (text: string): CapabilitySummary =>
  JSON.parse(inflateRawSync(Buffer.from(text, "base64")).toString()) as CapabilitySummary;
