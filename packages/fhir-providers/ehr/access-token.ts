import { seal, unseal } from "@vitaline/aws";
import { ehrError, type InFlight, requestAccessToken, singleFlight } from "@vitaline/fhir";
import { endLease, type FhirProviderRow, type FhirTokenRow, keys, type LeasedRow, takeLease, update } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import * as z from "zod/mini";
import { randomUUID } from "node:crypto";
import { errorFields } from "@vitaline/core";
import type { PlatformKey } from "@vitaline/store/keys.ts";
import { refreshWithConsent } from "../oauth/consent.ts";
import { clientRegistration, connectionDigest, grantOf } from "../provider/credentials.ts";
import { tokenAllows, tokenScopes } from "../provider/granted-scopes.ts";

/** As long as a tool call may take. A lease whose holder died blocks others no longer; a slower probe may overlap with another request. */
const maxMakingMs = 8000;
const storingMs = 3000;
const pollMs = 150;
const rowSeconds = 86_400;
const maxCached = 5000;

/** `issuedFor`: digest of the connection that the EHR issued the value for. */
type Held<V> = { value: V; issuedFor: string; untilMs: number };
type LocalCache<V> = { values: Map<string, Held<V>>; inFlight: InFlight<V> };
export const createLocalCache = <V>(): LocalCache<V> => ({ values: new Map(), inFlight: new Map() });

/**
 * A value that all function instances share through a row: `open` reads it from the row, `make` requests it from the EHR, `close` returns
 * the fields to store.
 */
export type SharedValue<V, Row extends LeasedRow> = {
  cache: LocalCache<V>;
  key: PlatformKey<Row, "ehr">;
  issuedFor: string;
  open(row: Row): Promise<Held<V> | undefined>;
  make(signal: AbortSignal | undefined): Promise<Held<V>>;
  close(held: Held<V>): Promise<Partial<Row>>;
};

/** `isRefused`: values that the EHR no longer accepts. `seen`: the row as the caller already read it, null if absent. */
type SharedOptions<V, Row> = {
  isRefused?: ((value: V) => boolean) | undefined;
  seen?: Row | null | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * From this instance's cache, else the row, else the EHR; only one function instance requests at a time. AppError `ehr_timeout` when the
 * signal ends first.
 */
export async function getShared<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  spec: SharedValue<V, Row>,
  { isRefused = () => false, seen, signal }: SharedOptions<V, Row> = {},
): Promise<V> {
  const { cache, issuedFor } = spec;
  const rowId = rowIdOf(spec.key);
  const known = cache.values.get(rowId);
  if (known && known.issuedFor === issuedFor && !isRefused(known.value) && isFresh(ctx, known)) return known.value;

  const fetch = async (): Promise<V> => {
    const held = await obtain(ctx, spec, { isRefused, seen, signal });
    remember(cache, rowId, held);
    return held.value;
  };
  return singleFlight(cache.inFlight, `${rowId}/${issuedFor}`, { ctx, signal }, fetch, (value) => !isRefused(value));
}

/** This instance's fresh value, for any connection. */
export const cachedLocally = <V>(ctx: EhrRegistryContext, { values }: LocalCache<V>, key: PlatformKey<unknown>): Held<V> | undefined => {
  const known = values.get(rowIdOf(key));
  return known && isFresh(ctx, known) ? known : undefined;
};

export async function replaceShared<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  spec: SharedValue<V, Row>,
  held: Held<V>,
): Promise<void> {
  remember(spec.cache, rowIdOf(spec.key), held);
  await ctx.platform.writeUnaudited(update<LeasedRow>(spec.key, { set: { ...(await spec.close(held)), expiresAt: expiryOf(ctx) } }));
}

const rowIdOf = ({ at: { pk, sk } }: PlatformKey<unknown>): string => `${pk}/${sk}`;

function remember<V>({ values }: LocalCache<V>, rowId: string, held: Held<V>): void {
  if (values.size >= maxCached) values.clear();
  values.set(rowId, held);
}

const isFresh = (ctx: EhrRegistryContext, { untilMs }: Held<unknown>): boolean => untilMs > ctx.clock().getTime();
const expiryOf = (ctx: EhrRegistryContext): number => Math.floor(ctx.clock().getTime() / 1000) + rowSeconds;

async function obtain<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  spec: SharedValue<V, Row>,
  { isRefused, seen, signal }: SharedOptions<V, Row>,
): Promise<Held<V>> {
  const { key } = spec;
  const owner = randomUUID();
  for (let row = seen === undefined ? await ctx.platform.get(key) : seen; ; row = await ctx.platform.get(key)) {
    const stored = await openFresh(ctx, spec, row ?? undefined, isRefused);
    if (stored) return stored;
    const nowMs = ctx.clock().getTime();
    // As long as making may take, so that no second holder makes it at the same time.
    const leaseMs = Math.min(ctx.deadline.remainingMs(), maxMakingMs) + storingMs;
    const leased = await takeLease(ctx.platform, key, { owner, nowMs, lifeMs: leaseMs, set: { expiresAt: expiryOf(ctx) } });
    if (leased) {
      const meanwhile = await openFresh(ctx, spec, leased, isRefused);
      return makeAndStore(ctx, spec, owner, { meanwhile, signal });
    }
    if (ctx.deadline.remainingMs() <= pollMs) throw ehrError("ehr_timeout");
    await ctx.pause(pollMs, signal).catch((cause: unknown) => {
      throw ehrError("ehr_timeout", { cause });
    });
  }
}

async function openFresh<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  { open, issuedFor }: SharedValue<V, Row>,
  row: Row | undefined,
  isRefused: SharedOptions<V, Row>["isRefused"],
): Promise<Held<V> | undefined> {
  const held = row && (await open(row));
  return held && held.issuedFor === issuedFor && !isRefused?.(held.value) && isFresh(ctx, held) ? held : undefined;
}

/** With the lease held: makes the value unless another instance just did (`meanwhile`), stores it and ends the lease. */
async function makeAndStore<V, Row extends LeasedRow>(
  ctx: EhrRegistryContext,
  { key, make, close }: SharedValue<V, Row>,
  owner: string,
  { meanwhile, signal }: { meanwhile: Held<V> | undefined; signal: AbortSignal | undefined },
): Promise<Held<V>> {
  try {
    const held = meanwhile ?? (await make(signal));
    // A value that cannot be stored is still returned.
    await close(held)
      .then((made) => endLease(ctx.platform, key, owner, made))
      .catch((error: unknown) => ctx.log("warn", "ehr.not_shared", errorFields(error)));
    return held;
  } catch (error) {
    await endLease(ctx.platform, key, owner).catch(() => ctx.log("warn", "ehr.lease_not_ended"));
    throw error;
  }
}

const marginMs = 30_000;

/** The purpose part of a token's key; "" stands for all of the connection's scopes. */
export const tokenPurpose = (scopes: readonly string[]): string => [...new Set(scopes)].toSorted().join(" ");

/** With the authorization_code grant one token serves all purposes. */
export const hasSingleToken = (provider: FhirProviderRow): boolean => grantOf(provider) === "authorization_code";

type Token = { accessToken: string; granted?: string | undefined };

const SealedToken = z.object({ accessToken: z.string(), granted: z.optional(z.string()), issuedFor: z.string() });

const cache = createLocalCache<Token>();

type TokenRequest = { refused?: string; seen?: FhirTokenRow | null | undefined; signal?: AbortSignal };

/**
 * An access token for `scopes`, or for all of the connection's when empty. AppErrors as tokenFor; also `ehr_not_allowed` when the user's
 * consent does not cover `scopes`.
 */
export async function accessToken(
  ctx: EhrRegistryContext,
  provider: FhirProviderRow,
  scopes: readonly string[],
  request: TokenRequest,
): Promise<string> {
  const token = await tokenFor(ctx, provider, scopes, request);
  if (hasSingleToken(provider) && !tokenAllows(provider, token.granted, scopes)) throw ehrError("ehr_not_allowed");
  return token.accessToken;
}

/**
 * From this instance's cache, else the row, else the EHR; only one function instance requests at a time. `refused`: a token that the EHR no
 * longer accepts. `seen`: the row of this purpose as the caller already read it, null if absent. AppError `ehr_timeout` when the signal
 * ends first, `ehr_auth` without valid credentials.
 */
export const tokenFor = (
  ctx: EhrRegistryContext,
  provider: FhirProviderRow,
  scopes: readonly string[],
  { refused, seen, signal }: TokenRequest = {},
): Promise<Token> => {
  const isRefused = (token: Token): boolean => token.accessToken === refused;
  return getShared(ctx, sharedToken(ctx, provider, hasSingleToken(provider) ? [] : scopes), { isRefused, seen, signal });
};

function sharedToken(ctx: EhrRegistryContext, provider: FhirProviderRow, scopes: readonly string[]): SharedValue<Token, FhirTokenRow> {
  const { id } = provider;
  // A changed connection must not use the previous token.
  const issuedFor = connectionDigest(provider);
  return {
    cache,
    key: keys.fhirToken(id, tokenPurpose(scopes)),
    issuedFor,
    async open({ sealed, tokenExpiresAt = "" }) {
      const untilMs = Date.parse(tokenExpiresAt) - marginMs;
      if (!sealed || !(untilMs > ctx.clock().getTime())) return undefined;
      const { issuedFor: of, ...value } = z.parse(SealedToken, JSON.parse(await unseal("fhir-token", id, sealed)));
      return { value, issuedFor: of, untilMs };
    },
    async make(signal) {
      const client = clientRegistration(ctx, provider);
      const { expiresAtMs, ...value } = hasSingleToken(provider)
        ? await refreshWithConsent(ctx, provider, client)
        : await requestAccessToken(ctx, client, { scopes: tokenScopes(provider, scopes), signal });
      return { value, issuedFor, untilMs: expiresAtMs - marginMs };
    },
    close: async ({ value, untilMs }) => ({
      sealed: await seal("fhir-token", id, JSON.stringify({ ...value, issuedFor } satisfies z.infer<typeof SealedToken>)),
      tokenExpiresAt: new Date(untilMs + marginMs).toISOString(),
    }),
  };
}
