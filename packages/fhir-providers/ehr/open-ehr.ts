import { awaitAllThenThrow, logWith } from "@vitaline/core";
import { type CallOptions, createFhirClient, ehrError, type FhirClient, type FhirVersion } from "@vitaline/fhir";
import {
  batchGetNamed,
  type FhirCapabilityRow,
  type FhirCircuitRow,
  type FhirProviderRow,
  type FhirTokenRow,
  keys,
  type OfficeRow,
  type ReservedSlotsRow,
  type TenantRow,
} from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { assertScopesAllowed } from "../provider/granted-scopes.ts";
import { accessToken, hasSingleToken, isTokenCached, tokenScopeKey } from "./access-token.ts";
import { circuitOf } from "./circuit.ts";
import { type AttemptCounts, countAttempts } from "./identity-attempts.ts";
import {
  isCapabilityCached,
  schedulingEndpoint,
  type ServerBehavior,
  serverBehaviorOf,
  sharedCapabilityReader,
} from "./server-behavior.ts";
import {
  cancelSlotReservation,
  clearSlotLock,
  type LockOptions,
  lockSlot,
  releaseSlotLock,
  reserveSlot,
  type SlotLockOutcome,
} from "./slot-lock.ts";

export type Ehr = FhirClient & {
  providerId: string;
  behavior(options?: CallOptions): Promise<ServerBehavior>;
  /** For $find and $book: this server, or the one beside it in another FHIR version. */
  schedulingClient: FhirClient;
  /**
   * "acquired": locked for `owner` and this request, for at most two minutes; "taken": locked by another owner; "busy": by another request of
   * the same owner or group; "unknown": left locked by an earlier one of the group, which could not tell whether it had booked.
   */
  lockSlot(slotId: string, owner: string, options?: LockOptions): Promise<SlotLockOutcome>;
  /** Reserves a slot that was offered to a caller; false while another caller has it. */
  reserveSlot(slotId: string, owner: string): Promise<boolean>;
  cancelSlotReservation(slotId: string, owner: string): Promise<void>;
  /** Whether another call had the slot reserved when this one began, as far as known. */
  isReservedByOther(slotId: string, owner: string): boolean;
  releaseSlotLock(slotId: string, owner: string): Promise<void>;
  countAttempts(subjects: readonly string[], at: Date, by: 1 | -1): Promise<AttemptCounts[]>;
  /** Unlocks a cancelled or reserved slot; `madeBy`: the owner of the lock, if known. */
  clearSlotLock(slotId: string, madeBy: string | undefined): Promise<void>;
};

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
  const { providerId, provider, circuit, token, capability, reservedSlots } = await resolveProvider(ctx, tenant, {
    officeId,
    scopes,
    prefetched,
  });
  if (!providerId) throw ehrError("ehr_not_configured");
  rememberEhr(tenant.id, prefetched?.cacheKey ?? officeId, {
    officeId,
    providerId,
    hasSingleToken: provider && hasSingleToken(provider),
  });
  if (!provider?.isActive) throw ehrError("ehr_not_configured");
  assertScopesAllowed(provider, scopes);
  const knownRow = token?.scopeKey === tokenScopeKey(hasSingleToken(provider) ? [] : scopes) ? token.row : undefined;
  const logged = { ...ctx, log: logWith(ctx.log, { providerId, officeId }) };
  const ehrCtx = { ...logged, circuit: circuitOf(logged, providerId, circuit) };
  const clientAt = (endpoint: "main" | "scheduling", at: { baseUrl: string; fhirVersion: FhirVersion }): FhirClient =>
    createFhirClient(ehrCtx, {
      ...{ baseUrl: at.baseUrl, fhirVersion: at.fhirVersion },
      accessToken: (options) => accessToken(ehrCtx, provider, scopes, { ...options, knownRow }),
      sharedCapability: sharedCapabilityReader(ehrCtx, provider, endpoint, endpoint === "main" ? capability : undefined),
    });
  const client = clientAt("main", provider);
  const schedulingAt = schedulingEndpoint(provider);
  return {
    ...client,
    behavior: async (options) => serverBehaviorOf(provider, await client.capability(options)),
    schedulingClient: schedulingAt ? clientAt("scheduling", schedulingAt) : client,
    providerId,
    lockSlot: (slotId, owner, options) => lockSlot(ctx, providerId, slotId, owner, options),
    reserveSlot: (slotId, owner) => reserveSlot(ctx, providerId, slotId, owner),
    cancelSlotReservation: (slotId, owner) => cancelSlotReservation(ctx, providerId, slotId, owner),
    isReservedByOther: (slotId, owner) => {
      const nowSeconds = ctx.clock().getTime() / 1000;
      return (reservedSlots?.slots ?? []).some((one) => one.slotId === slotId && one.owner !== owner && one.expiresAt > nowSeconds);
    },
    releaseSlotLock: (slotId, owner) => releaseSlotLock(ctx, providerId, slotId, owner),
    countAttempts: (subjects, at, by) => countAttempts(ctx, providerId, subjects, at, by),
    clearSlotLock: (slotId, madeBy) => clearSlotLock(ctx, providerId, slotId, madeBy),
  };
}

const readProviderRows = async (
  ctx: EhrRegistryContext,
  providerId: string,
  scopes: readonly string[],
  prefetched: PrefetchedEhr | undefined,
): Promise<EhrRows> =>
  prefetched?.providers.get(providerId) ?? readEhrRows(ctx, ctx.platform, { providerId, scopes, readsSlots: readsSlots(scopes) });

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
): Promise<EhrRows & { providerId?: string }> {
  const tenantProviderId = tenant.fhirProviderId || undefined;
  const usesOfficeProvider = prefetched !== undefined && prefetched.offices.size > 0 && !prefetched.providers.has(tenantProviderId ?? "");
  const [officeProviderId, known] = await awaitAllThenThrow([
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

type EhrRows = {
  provider?: FhirProviderRow;
  circuit?: FhirCircuitRow | null;
  /** Read only when this instance has none cached; null where there is no such row, as for the others. */
  token?: { scopeKey: string; row: FhirTokenRow | null } | undefined;
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
  const lastEhr = lastEhrs.get(lastEhrKey(tenantId, cacheKey));
  if (!lastEhr) return { cacheKey, offices: new Map(), providers: new Map() };
  const { officeId, providerId } = lastEhr;
  const { office, ...rows } = await readEhrRows(ctx, ctx.platform.inTenant(tenantId), {
    ...lastEhr,
    scopes: lastEhr.hasSingleToken ? [] : scopes,
    readsSlots: readsSlots(scopes),
  });
  return {
    cacheKey,
    offices: new Map(officeId === undefined ? [] : [[officeId, office]]),
    providers: new Map([[providerId, rows]]),
  };
}

/** `hasSingleToken`: one token serves all scopes. */
type LastEhr = { officeId?: string; providerId: string; hasSingleToken?: boolean };

/** The rows that were needed last, by tenant and cache key; only a guess of what to prefetch. */
const lastEhrs = new Map<string, LastEhr>();
const lastEhrKey = (tenantId: string, cacheKey = ""): string => `${tenantId}/${cacheKey}`;
const maxLastEhrs = 5000;

const rememberEhr = (tenantId: string, cacheKey: string | undefined, ehr: LastEhr): void => {
  if (lastEhrs.size >= maxLastEhrs) lastEhrs.clear();
  lastEhrs.set(lastEhrKey(tenantId, cacheKey), ehr);
};

const readsSlots = (scopes: readonly string[]): boolean => scopes.some((scope) => scope.includes("/Slot."));

async function readEhrRows(
  ctx: EhrRegistryContext,
  store: EhrRegistryContext["platform"],
  { providerId, officeId, scopes, readsSlots: withSlots }: LastEhr & { scopes: readonly string[]; readsSlots: boolean },
): Promise<EhrRows & { office?: OfficeRow }> {
  const scopeKey = tokenScopeKey(scopes);
  const readsToken = !isTokenCached(ctx, providerId, scopeKey);
  const readsCapability = !isCapabilityCached(ctx, providerId);
  const { provider, circuit, token, capability, office, reservedSlots } = await batchGetNamed(store, {
    provider: keys.fhirProvider(providerId),
    circuit: keys.fhirCircuit(providerId),
    token: readsToken ? keys.fhirToken(providerId, scopeKey) : undefined,
    capability: readsCapability ? keys.fhirCapability(providerId, "main") : undefined,
    office: officeId === undefined ? undefined : keys.office(officeId),
    reservedSlots: withSlots ? keys.reservedSlots(providerId) : undefined,
  });
  return {
    provider,
    circuit: circuit ?? null,
    token: readsToken ? { scopeKey, row: token ?? null } : undefined,
    capability: readsCapability ? (capability ?? null) : undefined,
    office,
    reservedSlots,
  };
}
