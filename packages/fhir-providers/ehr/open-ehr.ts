import { allDone, logWith } from "@vitaline/core";
import { type CallOptions, createFhirClient, ehrError, type FhirClient, type FhirVersion } from "@vitaline/fhir";
import {
  type FhirCapabilityRow,
  type FhirProviderRow,
  type FhirTokenRow,
  type KeptSlotsRow,
  keys,
  type OfficeRow,
  type TenantRow,
} from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";
import { tokenScopes } from "../provider/granted-scopes.ts";
import { accessToken, hasSingleToken, tokenPurpose } from "./access-token.ts";
import { isCapabilityCached, sharedCapabilityReader } from "./capability.ts";
import { countTries, type Tries } from "./identity-attempts.ts";
import { giveUpSlot, keepSlot, type LockOptions, lockSlot, releaseSlot, type SlotLock, unlockSlot } from "./slot-lock.ts";
import { schedulingEndpoint, selectStrategy, type Strategy } from "./strategy.ts";

/** A tenant's record system, the ways of its vendor, and the locks that keep two calls from booking one slot. */
export type Ehr = FhirClient & {
  providerId: string;
  /** How this vendor's server is asked for what FHIR leaves open. */
  strategy(options?: CallOptions): Promise<Strategy>;
  /** Where appointments are asked for and made: this very server, or the one beside it that speaks another version. */
  scheduling: FhirClient;
  /**
   * "ours": the slot is now kept for `owner` and this request, for two minutes at most; "theirs": for another owner;
   * "busy": another request of the same owner is at it.
   */
  lockSlot(slotId: string, owner: string, options?: LockOptions): Promise<SlotLock>;
  /** Keeps a slot for a caller who has been told of it; false while somebody else has it. */
  keepSlot(slotId: string, keeper: string): Promise<boolean>;
  /** Gives up what was kept for a caller. */
  giveUpSlot(slotId: string, keeper: string): Promise<void>;
  /** Whether a slot was kept for another call when this one began, as far as that is known. */
  isKept(slotId: string, keeper: string): boolean;
  /** Gives back what this request keeps for `owner`. */
  releaseSlot(slotId: string, owner: string): Promise<void>;
  /** Counts tries to be taken for a patient of this record system; see tries.ts. */
  countTries(subjects: readonly string[], at: Date, by: 1 | -1): Promise<Tries[]>;
  /** Gives back a slot whose appointment was cancelled, or that was kept; `madeBy` booked or kept it, where that is known. */
  unlockSlot(slotId: string, madeBy: string | undefined): Promise<void>;
};

type Rows = {
  provider?: FhirProviderRow;
  /** The token of this purpose; null where there is none, as of the row below. */
  token?: { purpose: string; row: FhirTokenRow | null };
  /** Read only while this instance does not know it yet. */
  capability?: FhirCapabilityRow | null;
  /** Read only for what looks at slots. */
  kept?: KeptSlotsRow | undefined;
};
/** `hasSingleToken`: its token is the same whatever it is for. */
type Place = { officeId?: string; providerId: string; hasSingleToken?: boolean };

/** Which rows a place has needed last; only a guess of what to read ahead, and never believed. */
const usual = new Map<string, Place>();
const placeOf = (tenantId: string, hint = ""): string => `${tenantId}/${hint}`;
const mostPlaces = 5000;
const remember = (place: string, needed: Place): void => {
  if (usual.size >= mostPlaces) usual.clear();
  usual.set(place, needed);
};

/** Rows that were read ahead in this very request, beside what else it reads first. */
export type Foreseen = {
  hint: string;
  offices: ReadonlyMap<string, OfficeRow | undefined>;
  providers: ReadonlyMap<string, Rows>;
};

/**
 * Reads ahead what the same place has needed before, so that opening its record system costs no trip of its own and still
 * sees what was switched off a moment ago. `hint` names the place: an office, an agent, or nothing; `scopes` are what its token is
 * to be for, as openEhr gets them. One read, none when cold.
 */
export async function foreseeEhr(
  ctx: PlatformContext,
  tenantId: string,
  { hint = "", scopes = [] }: { hint?: string | undefined; scopes?: readonly string[] } = {},
): Promise<Foreseen> {
  const place = usual.get(placeOf(tenantId, hint));
  if (!place) return { hint, offices: new Map(), providers: new Map() };
  const { officeId, providerId } = place;
  const { office, ...rows } = await readRows(ctx, ctx.platform.inTenant(tenantId), {
    ...place,
    scopes: place.hasSingleToken ? [] : scopes,
    looksAtSlots: looksAtSlots(scopes),
  });
  return {
    hint,
    offices: new Map(officeId === undefined ? [] : [[officeId, office]]),
    providers: new Map([[providerId, rows]]),
  };
}

const looksAtSlots = (scopes: readonly string[]): boolean => scopes.some((scope) => scope.includes("/Slot."));

/** A provider with what goes with it, and an office beside it, in one read. */
async function readRows(
  ctx: PlatformContext,
  store: PlatformStore,
  { providerId, officeId, scopes, looksAtSlots: isOfSlots }: Place & { scopes: readonly string[]; looksAtSlots: boolean },
): Promise<Rows & { office?: OfficeRow }> {
  const purpose = tokenPurpose(scopes);
  const [provider, token] = [keys.fhirProvider(providerId), keys.fhirToken(providerId, purpose)];
  const capability = isCapabilityCached(ctx, providerId) ? undefined : keys.fhirCapability(providerId, "main");
  const office = officeId === undefined ? undefined : keys.office(officeId);
  const kept = isOfSlots ? keys.keptSlots(providerId) : undefined;
  const asked: Key<unknown>[] = [provider, token, capability, office, kept].filter((key) => key !== undefined);
  const found: readonly unknown[] = await store.batchGet(asked);
  /** The cast states that a row is its key's. */
  const rowOf = <Row>(key: Key<Row>): Row | undefined => found[asked.indexOf(key)] as Row | undefined;
  return {
    provider: rowOf(provider),
    token: { purpose, row: rowOf(token) ?? null },
    capability: capability && (rowOf(capability) ?? null),
    office: office && rowOf(office),
    kept: kept && rowOf(kept),
  };
}

/** What was read ahead of a provider, else what is read now. */
const readProvider = async (
  ctx: PlatformContext,
  providerId: string,
  scopes: readonly string[],
  foreseen: Foreseen | undefined,
): Promise<Rows> =>
  foreseen?.providers.get(providerId) ?? readRows(ctx, ctx.platform, { providerId, scopes, looksAtSlots: looksAtSlots(scopes) });

/** The provider that an active office has of its own. */
async function readOverride(
  ctx: PlatformContext,
  tenantId: string,
  officeId: string,
  foreseen: Foreseen | undefined,
): Promise<string | undefined> {
  const office = foreseen?.offices.has(officeId)
    ? foreseen.offices.get(officeId)
    : await ctx.platform.inTenant(tenantId).get(keys.office(officeId));
  return office?.isActive ? office.fhirProviderId : undefined;
}

/** Which provider answers, and its rows: the tenant's are read beside the office's, as most offices have none of their own. */
async function resolve(
  ctx: PlatformContext,
  tenant: TenantRow,
  { officeId, scopes, foreseen }: { officeId: string | undefined; scopes: readonly string[]; foreseen: Foreseen | undefined },
): Promise<Rows & { providerId?: string }> {
  const own = tenant.fhirProviderId || undefined;
  // With an office's own provider read ahead, the tenant's is hardly needed
  const isElsewhere = foreseen !== undefined && foreseen.offices.size > 0 && !foreseen.providers.has(own ?? "");
  const [override, known] = await allDone([
    officeId === undefined ? undefined : readOverride(ctx, tenant.id, officeId, foreseen),
    own === undefined || isElsewhere ? undefined : readProvider(ctx, own, scopes, foreseen),
  ]);
  const providerId = override ?? own;
  if (providerId === undefined) return {};
  return { providerId, ...(known && providerId === own ? known : await readProvider(ctx, providerId, scopes, foreseen)) };
}

/**
 * The record system of an office: its own provider while the office is active, else its tenant's default, else none; never another
 * one. Its token allows `scopes` (SMART scopes over FHIR R4) and no more, or all that the connection has when there are none.
 * Whether it is there is never cached: without rows that were read ahead it costs one trip, two for an office with a provider of
 * its own. AppError `ehr_not_configured` without a provider or with an inactive one, `ehr_not_allowed` where the connection's own
 * scopes do not hold `scopes`.
 */
export async function openEhr(
  ctx: PlatformContext,
  tenant: TenantRow,
  { officeId, scopes = [], foreseen }: { officeId?: string | undefined; scopes?: readonly string[]; foreseen?: Foreseen | undefined } = {},
): Promise<Ehr> {
  const { providerId, provider, token, capability, kept } = await resolve(ctx, tenant, { officeId, scopes, foreseen });
  if (!providerId) throw ehrError("ehr_not_configured");
  remember(placeOf(tenant.id, foreseen?.hint ?? officeId), { officeId, providerId, hasSingleToken: provider && hasSingleToken(provider) });
  if (!provider?.isActive) throw ehrError("ehr_not_configured");
  tokenScopes(provider, scopes);
  const seen = token?.purpose === tokenPurpose(hasSingleToken(provider) ? [] : scopes) ? token.row : undefined;
  const own = { ...ctx, log: logWith(ctx.log, { providerId, officeId }) };
  const clientAt = (place: "main" | "scheduling", at: { baseUrl: string; fhirVersion: FhirVersion }): FhirClient =>
    createFhirClient(own, {
      ...{ baseUrl: at.baseUrl, fhirVersion: at.fhirVersion },
      accessToken: (options) => accessToken(own, provider, scopes, { ...options, seen }),
      sharedCapability: sharedCapabilityReader(own, provider, place, place === "main" ? capability : undefined),
    });
  const client = clientAt("main", provider);
  const elsewhere = schedulingEndpoint(provider);
  return {
    ...client,
    strategy: async (options) => selectStrategy(provider, await client.capability(options)),
    scheduling: elsewhere ? clientAt("scheduling", elsewhere) : client,
    providerId,
    lockSlot: (slotId, owner, options) => lockSlot(ctx, providerId, slotId, owner, options),
    keepSlot: (slotId, keeper) => keepSlot(ctx, providerId, slotId, keeper),
    giveUpSlot: (slotId, keeper) => giveUpSlot(ctx, providerId, slotId, keeper),
    isKept: (slotId, keeper) => {
      const nowSeconds = ctx.clock().getTime() / 1000;
      return (kept?.slots ?? []).some((one) => one.slotId === slotId && one.keeper !== keeper && one.expiresAt > nowSeconds);
    },
    releaseSlot: (slotId, owner) => releaseSlot(ctx, providerId, slotId, owner),
    countTries: (subjects, at, by) => countTries(ctx, providerId, subjects, at, by),
    unlockSlot: (slotId, madeBy) => unlockSlot(ctx, providerId, slotId, madeBy),
  };
}
