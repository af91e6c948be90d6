import { ehrError, type InFlight, singleFlight } from "@vitaline/fhir";
import { endLease, type LeasedRow, takeLease, update } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { randomUUID } from "node:crypto";
import { errorFields } from "@vitaline/core";
import type { PlatformKey } from "@vitaline/store/keys.ts";

/** The longest that a tool call may take, so that the lease of a dead holder blocks others no longer than that. A slower probe may overlap with another request. */
const maxFetchMs = 8000;
const storingMs = 3000;
const pollMs = 150;
const rowSeconds = 86_400;
const maxCached = 5000;

/** `connectionDigest`: of the connection that the EHR issued the value for. */
type CachedValue<V> = { value: V; connectionDigest: string; untilMs: number };
type LocalCache<V> = { values: Map<string, CachedValue<V>>; inFlight: InFlight<V> };
export const createLocalCache = <V>(): LocalCache<V> => ({ values: new Map(), inFlight: new Map() });

/**
 * A value that all function instances share through a row: `decode` reads it from the row, `fetch` requests it from the EHR, `encode` returns
 * the fields to store.
 */
export type SharedValue<V, Row extends LeasedRow> = {
  cache: LocalCache<V>;
  key: PlatformKey<Row, "ehr">;
  connectionDigest: string;
  /** Throws where `fetch` would be refused without a request. */
  check?: (() => void) | undefined;
  decode(row: Row): Promise<CachedValue<V> | undefined>;
  fetch(signal: AbortSignal | undefined): Promise<CachedValue<V>>;
  encode(cached: CachedValue<V>): Promise<Partial<Row>>;
};

/** `isRefused`: values that the EHR no longer accepts. `knownRow`: the row as the caller already read it, null if absent. */
type SharedOptions<V, Row> = {
  isRefused?: ((value: V) => boolean) | undefined;
  knownRow?: Row | null | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * From this instance's cache, else the row, else the EHR; only one function instance requests at a time. AppError `ehr_timeout` when the
 * signal ends first.
 */
export async function getShared<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  spec: SharedValue<V, Row>,
  { isRefused = () => false, knownRow, signal }: SharedOptions<V, Row> = {},
): Promise<V> {
  const { cache, connectionDigest } = spec;
  const rowId = rowIdOf(spec.key);
  const known = cache.values.get(rowId);
  if (known && known.connectionDigest === connectionDigest && !isRefused(known.value) && isFresh(ctx, known)) return known.value;

  const load = async (): Promise<V> => {
    const cached = await obtain(ctx, spec, { isRefused, knownRow, signal });
    remember(cache, rowId, cached);
    return cached.value;
  };
  return singleFlight(cache.inFlight, `${rowId}/${connectionDigest}`, { ctx, signal }, load, (value) => !isRefused(value));
}

/** This instance's fresh value, for any connection. */
export const cachedLocally = <V>(
  ctx: EhrRegistryContext,
  { values }: LocalCache<V>,
  key: PlatformKey<unknown>,
): CachedValue<V> | undefined => {
  const known = values.get(rowIdOf(key));
  return known && isFresh(ctx, known) ? known : undefined;
};

export async function replaceShared<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  spec: SharedValue<V, Row>,
  cached: CachedValue<V>,
): Promise<void> {
  remember(spec.cache, rowIdOf(spec.key), cached);
  await ctx.platform.writeUnaudited(update<LeasedRow>(spec.key, { set: { ...(await spec.encode(cached)), expiresAt: expiryOf(ctx) } }));
}

const rowIdOf = ({ primaryKey: { pk, sk } }: PlatformKey<unknown>): string => `${pk}/${sk}`;

function remember<V>({ values }: LocalCache<V>, rowId: string, cached: CachedValue<V>): void {
  if (values.size >= maxCached) values.clear();
  values.set(rowId, cached);
}

const isFresh = (ctx: EhrRegistryContext, { untilMs }: CachedValue<unknown>): boolean => untilMs > ctx.clock().getTime();

const expiryOf = (ctx: EhrRegistryContext): number => Math.floor(ctx.clock().getTime() / 1000) + rowSeconds;

async function obtain<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  spec: SharedValue<V, Row>,
  { isRefused, knownRow, signal }: SharedOptions<V, Row>,
): Promise<CachedValue<V>> {
  const { key } = spec;
  const owner = randomUUID();
  for (let row = knownRow === undefined ? await ctx.platform.get(key) : knownRow; ; row = await ctx.platform.get(key)) {
    const stored = await decodeFresh(ctx, spec, row ?? undefined, isRefused);
    if (stored) return stored;
    spec.check?.();
    const nowMs = ctx.clock().getTime();
    // As long as the request may take, so that no second holder sends it at the same time.
    const leaseMs = Math.min(ctx.deadline.remainingMs(), maxFetchMs) + storingMs;
    const leased = await takeLease(ctx.platform, key, { owner, nowMs, lifeMs: leaseMs, set: { expiresAt: expiryOf(ctx) } });
    if (leased) {
      const stored = await decodeFresh(ctx, spec, leased, isRefused);
      return fetchAndStore(ctx, spec, owner, { stored, signal });
    }
    if (ctx.deadline.remainingMs() <= pollMs) throw ehrError("ehr_timeout");
    await ctx.pause(pollMs, signal).catch((cause: unknown) => {
      throw ehrError("ehr_timeout", { cause });
    });
  }
}

async function decodeFresh<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  { decode, connectionDigest }: SharedValue<V, Row>,
  row: Row | undefined,
  isRefused: SharedOptions<V, Row>["isRefused"],
): Promise<CachedValue<V> | undefined> {
  const cached = row && (await decode(row));
  return cached && cached.connectionDigest === connectionDigest && !isRefused?.(cached.value) && isFresh(ctx, cached) ? cached : undefined;
}

/** With the lease held: fetches the value unless another instance just stored it (`stored`), stores it and ends the lease. */
async function fetchAndStore<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  { key, fetch, encode }: SharedValue<V, Row>,
  owner: string,
  { stored, signal }: { stored: CachedValue<V> | undefined; signal: AbortSignal | undefined },
): Promise<CachedValue<V>> {
  try {
    const cached = stored ?? (await fetch(signal));
    // A value that cannot be stored is still returned.
    await encode(cached)
      .then((made) => endLease(ctx.platform, key, owner, made))
      .catch((error: unknown) => ctx.log("warn", "ehr.not_shared", errorFields(error)));
    return cached;
  } catch (error) {
    await endLease(ctx.platform, key, owner).catch(() => ctx.log("warn", "ehr.lease_not_ended"));
    throw error;
  }
}
