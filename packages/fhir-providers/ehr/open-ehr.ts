import { settleAll, logWith } from "@vitaline/core";
import { type CallOptions, createFhirClient, ehrError, type FhirClient, type FhirVersion } from "@vitaline/fhir";
import {
  type FhirCapabilityRow,
  type FhirProviderRow,
  type FhirTokenRow,
  type ReservedSlotsRow,
  keys,
  type OfficeRow,
  type TenantRow,
} from "@vitaline/store";
import type { EhrRegistryContext, ScopedKey } from "@vitaline/store/scoped.ts";
import { tokenScopes } from "../provider/granted-scopes.ts";
import { accessToken, hasSingleToken, tokenPurpose } from "./access-token.ts";
import { isCapabilityCached, sharedCapabilityReader } from "./capability.ts";
import { type AttemptCounts, countAttempts } from "./identity-attempts.ts";
import {
  cancelSlotReservation,
  reserveSlot,
  type LockOptions,
  lockSlot,
  releaseSlotLock,
  type SlotLock,
  clearSlotLock,
} from "./slot-lock.ts";
import { schedulingEndpoint, selectStrategy, type Strategy } from "./strategy.ts";

export type Ehr = FhirClient & {
  providerId: string;
  strategy(options?: CallOptions): Promise<Strategy>;
  /** For appointments: this server, or the one beside it in another FHIR version. */
  scheduling: FhirClient;
  /**
   * "ours": locked for `owner` and this request, for at most two minutes; "theirs": locked by another owner; "busy": by another request of
   * the same owner.
   */
  lockSlot(slotId: string, owner: string, options?: LockOptions): Promise<SlotLock>;
  /** Reserves a slot that was offered to a caller; false while another caller has it. */
  reserveSlot(slotId: string, holder: string): Promise<boolean>;
  cancelSlotReservation(slotId: string, holder: string): Promise<void>;
  /** Whether another call had the slot reserved when this one began, as far as known. */
  isReservedByOther(slotId: string, holder: string): boolean;
  releaseSlotLock(slotId: string, owner: string): Promise<void>;
  countAttempts(subjects: readonly string[], at: Date, by: 1 | -1): Promise<AttemptCounts[]>;
  /** Unlocks a cancelled or reserved slot; `madeBy`: the owner of the lock, if known. */
  clearSlotLock(slotId: string, madeBy: string | undefined): Promise<void>;
};

type Rows = {
  provider?: FhirProviderRow;
  /** Null where there is no such row, as for the capability. */
  token?: { purpose: string; row: FhirTokenRow | null };
  /** Read only when this instance has none cached. */
  capability?: FhirCapabilityRow | null;
  /** Read only for scopes on Slot. */
  kept?: ReservedSlotsRow | undefined;
};
/** `hasSingleToken`: one token serves all purposes. */
type EhrLocation = { officeId?: string; providerId: string; hasSingleToken?: boolean };

/** The rows that were needed last, by tenant and hint; only a guess of what to prefetch. */
const lastLocations = new Map<string, EhrLocation>();
const locationKey = (tenantId: string, hint = ""): string => `${tenantId}/${hint}`;
const maxLocations = 5000;
const rememberLocation = (key: string, location: EhrLocation): void => {
  if (lastLocations.size >= maxLocations) lastLocations.clear();
  lastLocations.set(key, location);
};

export type PrefetchedEhr = {
  hint: string;
  offices: ReadonlyMap<string, OfficeRow | undefined>;
  providers: ReadonlyMap<string, Rows>;
};

/**
 * Reads the rows that the same place needed last, so that openEhr needs no read of its own and still sees a provider that was just
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
  const { office, ...rows } = await readRows(ctx, ctx.platform.inTenant(tenantId), {
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

const readsSlots = (scopes: readonly string[]): boolean => scopes.some((scope) => scope.includes("/Slot."));

async function readRows(
  ctx: EhrRegistryContext,
  store: EhrRegistryContext["platform"],
  { providerId, officeId, scopes, readsSlots: withSlots }: EhrLocation & { scopes: readonly string[]; readsSlots: boolean },
): Promise<Rows & { office?: OfficeRow }> {
  const purpose = tokenPurpose(scopes);
  const [provider, token] = [keys.fhirProvider(providerId), keys.fhirToken(providerId, purpose)];
  const capability = isCapabilityCached(ctx, providerId) ? undefined : keys.fhirCapability(providerId, "main");
  const office = officeId === undefined ? undefined : keys.office(officeId);
  const kept = withSlots ? keys.reservedSlots(providerId) : undefined;
  const wanted: ScopedKey<"ehr">[] = [provider, token, capability, office, kept].filter((key) => key !== undefined);
  const found: readonly unknown[] = await store.batchGet(wanted);
  /** A row has the type of its key. */
  const rowOf = <Row>(key: ScopedKey<"ehr"> & { row?: Row }): Row | undefined => found[wanted.indexOf(key)] as Row | undefined;
  return {
    provider: rowOf(provider),
    token: { purpose, row: rowOf(token) ?? null },
    capability: capability && (rowOf(capability) ?? null),
    office: office && rowOf(office),
    kept: kept && rowOf(kept),
  };
}

const readProviderRows = async (
  ctx: EhrRegistryContext,
  providerId: string,
  scopes: readonly string[],
  prefetched: PrefetchedEhr | undefined,
): Promise<Rows> =>
  prefetched?.providers.get(providerId) ?? readRows(ctx, ctx.platform, { providerId, scopes, readsSlots: readsSlots(scopes) });

async function readOfficeProviderId(
  ctx: EhrRegistryContext,
  tenantId: string,
  officeId: string,
  prefetched: PrefetchedEhr | undefined,
): Promise<string | undefined> {
  const office = prefetched?.offices.has(officeId)
    ? prefetched.offices.get(officeId)
    : await ctx.platform.inTenant(tenantId).get(keys.office(officeId));
  return office?.isActive ? office.fhirProviderId : undefined;
}

/** The tenant's rows are read together with the office's, since most offices have no provider of their own. */
async function resolveProvider(
  ctx: EhrRegistryContext,
  tenant: TenantRow,
  { officeId, scopes, prefetched }: { officeId: string | undefined; scopes: readonly string[]; prefetched: PrefetchedEhr | undefined },
): Promise<Rows & { providerId?: string }> {
  const tenantProviderId = tenant.fhirProviderId || undefined;
  const usesOfficeProvider = prefetched !== undefined && prefetched.offices.size > 0 && !prefetched.providers.has(tenantProviderId ?? "");
  const [officeProviderId, known] = await settleAll([
    officeId === undefined ? undefined : readOfficeProviderId(ctx, tenant.id, officeId, prefetched),
    tenantProviderId === undefined || usesOfficeProvider ? undefined : readProviderRows(ctx, tenantProviderId, scopes, prefetched),
  ]);
  const providerId = officeProviderId ?? tenantProviderId;
  if (providerId === undefined) return {};
  return {
    providerId,
    ...(known && providerId === tenantProviderId ? known : await readProviderRows(ctx, providerId, scopes, prefetched)),
  };
}

/**
 * Opens the record system of an office: the office's own provider while the office is active, else the tenant's. Its token allows `scopes`
 * (SMART scopes over FHIR R4) only, or all of the connection's when empty. The provider's status is never cached: without prefetched rows
 * one read, two for an office with a provider of its own. AppError `ehr_not_configured` without an active provider, `ehr_not_allowed` when
 * the connection's scopes do not cover `scopes`.
 */
export async function openEhr(
  ctx: EhrRegistryContext,
  tenant: TenantRow,
  {
    officeId,
    scopes = [],
    prefetched,
  }: { officeId?: string | undefined; scopes?: readonly string[]; prefetched?: PrefetchedEhr | undefined } = {},
): Promise<Ehr> {
  const { providerId, provider, token, capability, kept } = await resolveProvider(ctx, tenant, { officeId, scopes, prefetched });
  if (!providerId) throw ehrError("ehr_not_configured");
  rememberLocation(locationKey(tenant.id, prefetched?.hint ?? officeId), {
    officeId,
    providerId,
    hasSingleToken: provider && hasSingleToken(provider),
  });
  if (!provider?.isActive) throw ehrError("ehr_not_configured");
  tokenScopes(provider, scopes);
  const seen = token?.purpose === tokenPurpose(hasSingleToken(provider) ? [] : scopes) ? token.row : undefined;
  const ehrCtx = { ...ctx, log: logWith(ctx.log, { providerId, officeId }) };
  const clientAt = (endpoint: "main" | "scheduling", at: { baseUrl: string; fhirVersion: FhirVersion }): FhirClient =>
    createFhirClient(ehrCtx, {
      ...{ baseUrl: at.baseUrl, fhirVersion: at.fhirVersion },
      accessToken: (options) => accessToken(ehrCtx, provider, scopes, { ...options, seen }),
      sharedCapability: sharedCapabilityReader(ehrCtx, provider, endpoint, endpoint === "main" ? capability : undefined),
    });
  const client = clientAt("main", provider);
  const schedulingAt = schedulingEndpoint(provider);
  return {
    ...client,
    strategy: async (options) => selectStrategy(provider, await client.capability(options)),
    scheduling: schedulingAt ? clientAt("scheduling", schedulingAt) : client,
    providerId,
    lockSlot: (slotId, owner, options) => lockSlot(ctx, providerId, slotId, owner, options),
    reserveSlot: (slotId, holder) => reserveSlot(ctx, providerId, slotId, holder),
    cancelSlotReservation: (slotId, holder) => cancelSlotReservation(ctx, providerId, slotId, holder),
    isReservedByOther: (slotId, holder) => {
      const nowSeconds = ctx.clock().getTime() / 1000;
      return (kept?.slots ?? []).some((one) => one.slotId === slotId && one.holder !== holder && one.expiresAt > nowSeconds);
    },
    releaseSlotLock: (slotId, owner) => releaseSlotLock(ctx, providerId, slotId, owner),
    countAttempts: (subjects, at, by) => countAttempts(ctx, providerId, subjects, at, by),
    clearSlotLock: (slotId, madeBy) => clearSlotLock(ctx, providerId, slotId, madeBy),
  };
}
