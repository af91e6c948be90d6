import {
  batchGetNamed,
  type FhirCapabilityRow,
  type FhirCircuitRow,
  type FhirProviderRow,
  type FhirTokenRow,
  keys,
  type OfficeRow,
  type ReservedSlotsRow,
} from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { isTokenCached, tokenScopeKey } from "./access-token.ts";
import { isCapabilityCached } from "./capability.ts";

export type EhrRows = {
  provider?: FhirProviderRow;
  circuit?: FhirCircuitRow | null;
  /** Read only when this instance has none cached; null where there is no such row, as for the others. */
  token?: { purpose: string; row: FhirTokenRow | null } | undefined;
  /** Read only when this instance has none cached. */
  capability?: FhirCapabilityRow | null;
  /** Read only for scopes on Slot. */
  reservedSlots?: ReservedSlotsRow | undefined;
};

export type PrefetchedEhr = {
  cacheKey: string;
  offices: ReadonlyMap<string, OfficeRow | undefined>;
  providers: ReadonlyMap<string, EhrRows>;
};

/**
 * Reads the rows that the same office or agent needed last, so that openEhr needs no read of its own and still sees a provider that was just
 * disabled. `cacheKey` names the office, or the agent and the called number; `scopes` as for openEhr. One read, none when cold.
 */
export async function prefetchEhr(
  ctx: EhrRegistryContext,
  tenantId: string,
  { cacheKey = "", scopes = [] }: { cacheKey?: string | undefined; scopes?: readonly string[] } = {},
): Promise<PrefetchedEhr> {
  const location = lastLocations.get(locationKey(tenantId, cacheKey));
  if (!location) return { cacheKey, offices: new Map(), providers: new Map() };
  const { officeId, providerId } = location;
  const { office, ...rows } = await readEhrRows(ctx, ctx.platform.inTenant(tenantId), {
    ...location,
    scopes: location.hasSingleToken ? [] : scopes,
    readsSlots: readsSlots(scopes),
  });
  return {
    cacheKey,
    offices: new Map(officeId === undefined ? [] : [[officeId, office]]),
    providers: new Map([[providerId, rows]]),
  };
}

/** `hasSingleToken`: one token serves all purposes. */
type EhrLocation = { officeId?: string; providerId: string; hasSingleToken?: boolean };

/** The rows that were needed last, by tenant and cache key; only a guess of what to prefetch. */
const lastLocations = new Map<string, EhrLocation>();
const locationKey = (tenantId: string, cacheKey = ""): string => `${tenantId}/${cacheKey}`;
const maxLocations = 5000;

export const rememberLocation = (tenantId: string, cacheKey: string | undefined, location: EhrLocation): void => {
  if (lastLocations.size >= maxLocations) lastLocations.clear();
  lastLocations.set(locationKey(tenantId, cacheKey), location);
};

export const readsSlots = (scopes: readonly string[]): boolean => scopes.some((scope) => scope.includes("/Slot."));

export async function readEhrRows(
  ctx: EhrRegistryContext,
  store: EhrRegistryContext["platform"],
  { providerId, officeId, scopes, readsSlots: withSlots }: EhrLocation & { scopes: readonly string[]; readsSlots: boolean },
): Promise<EhrRows & { office?: OfficeRow }> {
  const purpose = tokenScopeKey(scopes);
  const readsToken = !isTokenCached(ctx, providerId, purpose);
  const readsCapability = !isCapabilityCached(ctx, providerId);
  const { provider, circuit, token, capability, office, reservedSlots } = await batchGetNamed(store, {
    provider: keys.fhirProvider(providerId),
    circuit: keys.fhirCircuit(providerId),
    token: readsToken ? keys.fhirToken(providerId, purpose) : undefined,
    capability: readsCapability ? keys.fhirCapability(providerId, "main") : undefined,
    office: officeId === undefined ? undefined : keys.office(officeId),
    reservedSlots: withSlots ? keys.reservedSlots(providerId) : undefined,
  });
  return {
    provider,
    circuit: circuit ?? null,
    token: readsToken ? { purpose, row: token ?? null } : undefined,
    capability: readsCapability ? (capability ?? null) : undefined,
    office,
    reservedSlots,
  };
}
