import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readFhirSecret, seal, unseal } from "@vitaline/aws";
import { digest, errorFields } from "@vitaline/core";
import { ehrError, requestAccessToken, type AccessToken, type SignAssertion } from "@vitaline/fhir";
import { signWithPlatformKey } from "@vitaline/platform-keys";
import { keys, update, type FhirProviderRow, type FhirTokenRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";

const leaseMs = 5000;
const pollMs = 150;
/** A token this close to its end is not used any more. */
const marginMs = 30_000;
const rowSeconds = 86_400;

/** The token row of a provider; it is asked for with all the scopes of the registration. */
export const tokenKey = (providerId: string) => keys.fhirToken(providerId, "registered");

type Held = AccessToken & { issuedFor: string };
/** What lies sealed in the row. */
const SealedToken = z.object({ accessToken: z.string(), issuedFor: z.string() });

const held = new Map<string, Held>();
/** A token on its way, and the signal of whoever asked for it first. */
type Flight = { token: Promise<string>; signal: AbortSignal | undefined };
const flights = new Map<string, Flight>();

/** A token is good for one registration: after a change of address, client or scopes it is not shown to the server any more. */
const purposeOf = ({ id, baseUrl, clientId, scopes, tokenUrl = "" }: FhirProviderRow): string =>
  digest("fhir-token", id, baseUrl, clientId, scopes, tokenUrl);

/**
 * A provider's access token: from memory, else from its row, else from the EHR; of all function instances one asks at a time.
 * `refused` is a token that the EHR no longer takes; `seen` is the row as it was read with the provider's. AppError
 * `ehr_timeout` when the signal ends first.
 */
export async function accessToken(
  ctx: PlatformContext,
  provider: FhirProviderRow,
  { refused, seen, signal }: { refused?: string; seen?: FhirTokenRow; signal?: AbortSignal } = {},
): Promise<string> {
  const issuedFor = purposeOf(provider);
  const known = held.get(provider.id);
  if (known && known.issuedFor === issuedFor && known.accessToken !== refused && isFresh(ctx, known.expiresAtMs)) return known.accessToken;

  // Whoever asks while a token is on its way waits for that one.
  for (let flight = flights.get(issuedFor); flight; flight = flights.get(issuedFor)) {
    const joined = await join(flight, signal);
    if (joined !== undefined && joined !== refused) return joined;
  }
  const token = obtain(ctx, provider, issuedFor, { refused, seen, signal })
    .then((one) => (held.set(provider.id, one), one.accessToken))
    .finally(() => flights.delete(issuedFor));
  flights.set(issuedFor, { token, signal });
  return token;
}

/** The token of another's flight; undefined when that one ran out of time and we have not. */
async function join(flight: Flight, signal: AbortSignal | undefined): Promise<string | undefined> {
  try {
    return await within(signal, flight.token);
  } catch (error) {
    if (flight.signal?.aborted && !signal?.aborted) return undefined;
    throw error;
  }
}

/** Waits no longer than the signal lasts; what is waited for heeds a signal of its own. */
async function within<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (!signal) return work;
  const late = Promise.withResolvers<never>();
  const onAbort = () => late.reject(ehrError("ehr_timeout"));
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  return Promise.race([work, late.promise]).finally(() => signal.removeEventListener("abort", onAbort));
}

const isFresh = (ctx: PlatformContext, expiresAtMs: number): boolean => expiresAtMs - marginMs > ctx.clock().getTime();

async function obtain(
  ctx: PlatformContext,
  provider: FhirProviderRow,
  issuedFor: string,
  { refused, seen, signal }: { refused: string | undefined; seen: FhirTokenRow | undefined; signal: AbortSignal | undefined },
): Promise<Held> {
  const key = tokenKey(provider.id);
  const owner = randomUUID();
  for (let row = seen; ; row = await ctx.platform.get(key)) {
    const shared = await openToken(ctx, provider.id, issuedFor, row, refused);
    if (shared) return shared;
    const nowMs = ctx.clock().getTime();
    const lease = { leaseOwner: owner, leaseUntilMs: nowMs + leaseMs, expiresAt: Math.floor(nowMs / 1000) + rowSeconds };
    const leased = await ctx.platform.note<FhirTokenRow>(update(key, { set: lease }, { lessThanOrAbsent: { leaseUntilMs: nowMs } }));
    if (leased) {
      const meanwhile = await openToken(ctx, provider.id, issuedFor, leased, refused);
      return renew(ctx, provider, issuedFor, owner, { meanwhile, signal });
    }
    if (ctx.deadline.remainingMs() <= pollMs) throw ehrError("ehr_timeout");
    await sleep(pollMs, undefined, { signal }).catch((cause: unknown) => {
      throw ehrError("ehr_timeout", { cause });
    });
  }
}

/** The token in the row, if it still serves. */
async function openToken(
  ctx: PlatformContext,
  providerId: string,
  issuedFor: string,
  row: FhirTokenRow | undefined,
  refused: string | undefined,
): Promise<Held | undefined> {
  const expiresAtMs = Date.parse(row?.tokenExpiresAt ?? "");
  if (!row?.sealed || !isFresh(ctx, expiresAtMs)) return undefined;
  const token = z.parse(SealedToken, JSON.parse(await unseal("fhir-token", providerId, row.sealed)));
  return token.issuedFor === issuedFor && token.accessToken !== refused ? { ...token, expiresAtMs } : undefined;
}

/** Under the lease: asks the EHR, unless somebody else did a moment ago, shares what it gave, and ends the lease. */
async function renew(
  ctx: PlatformContext,
  provider: FhirProviderRow,
  issuedFor: string,
  owner: string,
  { meanwhile, signal }: { meanwhile: Held | undefined; signal: AbortSignal | undefined },
): Promise<Held> {
  const endLease = (set: Partial<FhirTokenRow> = {}) =>
    ctx.platform.note(update(tokenKey(provider.id), { set, remove: ["leaseOwner", "leaseUntilMs"] }, { equals: { leaseOwner: owner } }));
  try {
    const token = meanwhile ?? { ...(await request(ctx, provider, signal)), issuedFor };
    // A token that cannot be shared still serves here.
    await share(provider.id, token)
      .then(endLease)
      .catch((error: unknown) => ctx.log("warn", "ehr.token_not_shared", errorFields(error)));
    return token;
  } catch (error) {
    await endLease().catch(() => ctx.log("warn", "ehr.lease_not_ended"));
    throw error;
  }
}

const share = async (providerId: string, { accessToken: text, issuedFor, expiresAtMs }: Held): Promise<Partial<FhirTokenRow>> => ({
  sealed: await seal("fhir-token", providerId, JSON.stringify({ accessToken: text, issuedFor } satisfies z.infer<typeof SealedToken>)),
  tokenExpiresAt: new Date(expiresAtMs).toISOString(),
});

const request = (
  ctx: PlatformContext,
  { baseUrl, clientId, clientSecret, scopes, tokenUrl }: FhirProviderRow,
  signal: AbortSignal | undefined,
): Promise<AccessToken> => {
  const secret = clientSecret && (() => readFhirSecret(clientSecret));
  const sign: SignAssertion = (algorithm, input) => signWithPlatformKey(ctx, algorithm, input);
  return requestAccessToken(ctx, { baseUrl, clientId, clientSecret: secret, scopes, tokenUrl, sign }, { signal });
};
