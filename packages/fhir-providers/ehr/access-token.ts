import { seal, unseal } from "@vitaline/aws";
import { ehrError, type FhirContext, requestAccessToken } from "@vitaline/fhir";
import { type FhirProviderRow, type FhirTokenRow, keys } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import * as z from "zod/mini";
import { refreshWithGrant } from "../oauth/consent.ts";
import { clientRegistration, connectionDigestOf, grantOf } from "../provider/credentials.ts";
import { tokenAllows, tokenScopes } from "../provider/granted-scopes.ts";
import { cachedLocally, createLocalCache, getShared, type SharedValue } from "./shared-value.ts";

const marginMs = 30_000;

/** The part of a token's key; "" stands for all of the connection's scopes. */
export const tokenScopeKey = (scopes: readonly string[]): string => [...new Set(scopes)].toSorted().join(" ");

/** With the authorization_code grant one token serves all scopes. */
export const hasSingleToken = (provider: FhirProviderRow): boolean => grantOf(provider) === "authorization_code";

type Token = { accessToken: string; granted?: string | undefined };

const SealedToken = z.object({ accessToken: z.string(), granted: z.optional(z.string()), connectionDigest: z.string() });

const cache = createLocalCache<Token>();

/** Requests by this context are subject to the connection's circuits, if it has any. */
export type EhrRequestContext = EhrRegistryContext & Pick<FhirContext, "circuit">;

export const isTokenCached = (ctx: EhrRegistryContext, providerId: string, scopeKey: string): boolean =>
  cachedLocally(ctx, cache, keys.fhirToken(providerId, scopeKey)) !== undefined;

type TokenRequest = { refused?: string; knownRow?: FhirTokenRow | null | undefined; signal?: AbortSignal };

/**
 * An access token for `scopes`, or for all of the connection's when empty. AppErrors as tokenFor; also `ehr_not_allowed` when the user's
 * consent does not cover `scopes`.
 */
export async function accessToken(
  ctx: EhrRequestContext,
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
 * longer accepts. `knownRow`: the row of these scopes as the caller already read it, null if absent. AppError `ehr_timeout` when the signal
 * ends first, `ehr_auth` without valid credentials.
 */
export const tokenFor = (
  ctx: EhrRequestContext,
  provider: FhirProviderRow,
  scopes: readonly string[],
  { refused, knownRow, signal }: TokenRequest = {},
): Promise<Token> => {
  const isRefused = (token: Token): boolean => token.accessToken === refused;
  return getShared(ctx, sharedToken(ctx, provider, hasSingleToken(provider) ? [] : scopes), { isRefused, knownRow, signal });
};

function sharedToken(ctx: EhrRequestContext, provider: FhirProviderRow, scopes: readonly string[]): SharedValue<Token, FhirTokenRow> {
  const { id } = provider;
  // A changed connection must not use the previous token.
  const connectionDigest = connectionDigestOf(provider);
  return {
    cache,
    key: keys.fhirToken(id, tokenScopeKey(scopes)),
    connectionDigest,
    check() {
      for (const url of [provider.baseUrl, ...(provider.tokenUrl ? [provider.tokenUrl] : [])]) ctx.circuit?.check(new URL(url).origin);
    },
    async decode({ sealed, tokenExpiresAt = "" }) {
      const untilMs = Date.parse(tokenExpiresAt) - marginMs;
      if (!sealed || !(untilMs > ctx.clock().getTime())) return undefined;
      const { connectionDigest: of, ...value } = z.parse(SealedToken, JSON.parse(await unseal("fhir-token", id, sealed)));
      return { value, connectionDigest: of, untilMs };
    },
    async fetch(signal) {
      const client = clientRegistration(ctx, provider);
      const { expiresAtMs, ...value } = hasSingleToken(provider)
        ? await refreshWithGrant(ctx, provider, client)
        : await requestAccessToken(ctx, client, { scopes: tokenScopes(provider, scopes), signal });
      return { value, connectionDigest, untilMs: expiresAtMs - marginMs };
    },
    encode: async ({ value, untilMs }) => ({
      sealed: await seal("fhir-token", id, JSON.stringify({ ...value, connectionDigest } satisfies z.infer<typeof SealedToken>)),
      tokenExpiresAt: new Date(untilMs + marginMs).toISOString(),
    }),
  };
}
