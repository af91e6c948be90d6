import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readFhirSecret, seal, unseal } from "@vitaline/aws";
import { digest, errorFields } from "@vitaline/core";
import { ehrError, requestAccessToken, type AccessToken } from "@vitaline/fhir";
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
const flights = new Map<string, Promise<string>>();

/** A token is good for one registration: after a change of address, client or scopes it is not shown to the server any more. */
const purposeOf = ({ id, baseUrl, clientId, scopes, tokenUrl = "" }: FhirProviderRow): string =>
  digest("fhir-token", id, baseUrl, clientId, scopes, tokenUrl);

/**
 * A provider's access token: from memory, else from its row, else from the EHR; of all function instances one asks at a time.
 * `refused` is a token that the EHR no longer takes; `seen` is the row as it was read with the provider's.
 */
export async function accessToken(
  ctx: PlatformContext,
  provider: FhirProviderRow,
  { refused, seen }: { refused?: string; seen?: FhirTokenRow } = {},
): Promise<string> {
  const issuedFor = purposeOf(provider);
  const known = held.get(provider.id);
  if (known && known.issuedFor === issuedFor && known.accessToken !== refused && isFresh(ctx, known.expiresAtMs)) return known.accessToken;

  // Whoever asks while a token is on its way waits for that one.
  const joined = await flights.get(issuedFor);
  if (joined !== undefined && joined !== refused) return joined;
  const flight = obtain(ctx, provider, issuedFor, refused, seen)
    .then((token) => (held.set(provider.id, token), token.accessToken))
    .finally(() => flights.delete(issuedFor));
  flights.set(issuedFor, flight);
  return flight;
}

const isFresh = (ctx: PlatformContext, expiresAtMs: number): boolean => expiresAtMs - marginMs > ctx.clock().getTime();

async function obtain(
  ctx: PlatformContext,
  provider: FhirProviderRow,
  issuedFor: string,
  refused: string | undefined,
  seen: FhirTokenRow | undefined,
): Promise<Held> {
  const key = tokenKey(provider.id);
  const owner = randomUUID();
  for (let row = seen; ; row = await ctx.platform.get(key)) {
    const shared = await openToken(ctx, provider.id, issuedFor, row, refused);
    if (shared) return shared;
    const nowMs = ctx.clock().getTime();
    const lease = { leaseOwner: owner, leaseUntilMs: nowMs + leaseMs, expiresAt: Math.floor(nowMs / 1000) + rowSeconds };
    const leased = await ctx.platform.note<FhirTokenRow>(update(key, { set: lease }, { lessThanOrAbsent: { leaseUntilMs: nowMs } }));
    if (leased) return renew(ctx, provider, issuedFor, owner, await openToken(ctx, provider.id, issuedFor, leased, refused));
    if (ctx.deadline.remainingMs() <= pollMs) throw ehrError("ehr_timeout");
    await sleep(pollMs);
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
  meanwhile: Held | undefined,
): Promise<Held> {
  const endLease = (set: Partial<FhirTokenRow> = {}) =>
    ctx.platform.note(update(tokenKey(provider.id), { set, remove: ["leaseOwner", "leaseUntilMs"] }, { equals: { leaseOwner: owner } }));
  try {
    const token = meanwhile ?? { ...(await request(ctx, provider)), issuedFor };
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

const request = (ctx: PlatformContext, { baseUrl, clientId, clientSecret, scopes, tokenUrl }: FhirProviderRow): Promise<AccessToken> =>
  requestAccessToken(ctx, {
    baseUrl,
    clientId,
    clientSecret: clientSecret && (() => readFhirSecret(clientSecret)),
    scopes,
    tokenUrl,
    sign: (algorithm, input) => signWithPlatformKey(ctx, algorithm, input),
  });
