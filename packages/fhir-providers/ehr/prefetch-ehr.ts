import {
  type FhirCapabilityRow,
  type FhirCircuitRow,
  type FhirProviderRow,
  type FhirTokenRow,
  keys,
  type OfficeRow,
  type ReservedSlotsRow,
} from "@vitaline/store";
import type { EhrRegistryContext, ScopedKey } from "@vitaline/store/scoped.ts";
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
  hint: string;
  offices: ReadonlyMap<string, OfficeRow | undefined>;
  providers: ReadonlyMap<string, EhrRows>;
};

/**
 * Reads the rows that the same office or agent needed last, so that openEhr needs no read of its own and still sees a provider that was just
 * disabled. `hint` names the place (an office, an agent, or nothing); `scopes` as for openEhr. One read, none when cold.
 */
export async function prefetchEhr(
  ctx: EhrRegistryContext,
  tenantId: string,
  { hint = "", scopes = [] }: { hint?: string | undefined; scopes?: readonly string[] } = {},
): Promise<PrefetchedEhr> {
  const location = lastLocations.get(locationKey(tenantId, hint));
  if (!location) return { hint, offices: new Map(), providers: new Map() };
  const { officeId, providerId } = location;
  const { office, ...rows } = await readEhrRows(ctx, ctx.platform.inTenant(tenantId), {
    ...location,
    scopes: location.hasSingleToken ? [] : scopes,
    readsSlots: readsSlots(scopes),
  });
  return {
    hint,
    offices: new Map(officeId === undefined ? [] : [[officeId, office]]),
    providers: new Map([[providerId, rows]]),
  };
}

/** `hasSingleToken`: one token serves all purposes. */
type EhrLocation = { officeId?: string; providerId: string; hasSingleToken?: boolean };

/** The rows that were needed last, by tenant and hint; only a guess of what to prefetch. */
const lastLocations = new Map<string, EhrLocation>();
const locationKey = (tenantId: string, hint = ""): string => `${tenantId}/${hint}`;
const maxLocations = 5000;

export const rememberLocation = (tenantId: string, hint: string | undefined, location: EhrLocation): void => {
  if (lastLocations.size >= maxLocations) lastLocations.clear();
  lastLocations.set(locationKey(tenantId, hint), location);
};

export const readsSlots = (scopes: readonly string[]): boolean => scopes.some((scope) => scope.includes("/Slot."));

export async function readEhrRows(
  ctx: EhrRegistryContext,
  store: EhrRegistryContext["platform"],
  { providerId, officeId, scopes, readsSlots: withSlots }: EhrLocation & { scopes: readonly string[]; readsSlots: boolean },
): Promise<EhrRows & { office?: OfficeRow }> {
  const purpose = tokenScopeKey(scopes);
  const [provider, circuit] = [keys.fhirProvider(providerId), keys.fhirCircuit(providerId)];
  const token = isTokenCached(ctx, providerId, purpose) ? undefined : keys.fhirToken(providerId, purpose);
  const capability = isCapabilityCached(ctx, providerId) ? undefined : keys.fhirCapability(providerId, "main");
  const office = officeId === undefined ? undefined : keys.office(officeId);
  const reservedSlots = withSlots ? keys.reservedSlots(providerId) : undefined;
  const wanted: ScopedKey<"ehr">[] = [provider, circuit, token, capability, office, reservedSlots].filter((key) => key !== undefined);
  const found: readonly unknown[] = await store.batchGet(wanted);
  /** A row has the type of its key. */
  const rowOf = <Row>(key: ScopedKey<"ehr"> & { row?: Row }): Row | undefined => found[wanted.indexOf(key)] as Row | undefined;
  return {
    provider: rowOf(provider),
    circuit: rowOf(circuit) ?? null,
    token: token && { purpose, row: rowOf(token) ?? null },
    capability: capability && (rowOf(capability) ?? null),
    office: office && rowOf(office),
    reservedSlots: reservedSlots && rowOf(reservedSlots),
  };
}
