import { seal, unseal } from "@vitaline/aws";
import { ehrError, requestAccessToken } from "@vitaline/fhir";
import { type FhirProviderRow, type FhirTokenRow, keys } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { refreshWithConsent } from "../oauth/consent.ts";
import { clientRegistration, connectionDigest, grantOf } from "../provider/client-registration.ts";
import { tokenAllows, tokenScopes } from "../provider/granted-scopes.ts";
import { emptyMemory, shared, type Shared } from "./lease.ts";

/** A token this close to its end is not used any more. */
const marginMs = 30_000;

/** What a token is for, as rows and memory name it; "" is all that the connection's own scopes allow. */
export const tokenPurpose = (scopes: readonly string[]): string => [...new Set(scopes)].toSorted().join(" ");

/** Whoever lets us in does so once for all tools, and gives one token. */
export const hasSingleToken = (provider: FhirProviderRow): boolean => grantOf(provider) === "authorization_code";

/** A token, and its scopes where the EHR named them. */
export type Token = { accessToken: string; granted?: string | undefined };

/** What lies sealed in the row. */
const SealedToken = z.object({ accessToken: z.string(), granted: z.optional(z.string()), issuedFor: z.string() });

const memory = emptyMemory<Token>();

type Asked = { refused?: string; seen?: FhirTokenRow | null | undefined; signal?: AbortSignal };

/**
 * A provider's access token for `scopes`, all that the connection has when there are none. AppError as tokenFor; also
 * `ehr_not_allowed` when whoever let us in did not grant what `scopes` need.
 */
export async function accessToken(
  ctx: PlatformContext,
  provider: FhirProviderRow,
  scopes: readonly string[],
  asked: Asked,
): Promise<string> {
  const token = await tokenFor(ctx, provider, scopes, asked);
  if (hasSingleToken(provider) && !tokenAllows(provider, token.granted, scopes)) throw ehrError("ehr_not_allowed");
  return token.accessToken;
}

/**
 * The token as it was given: from memory, else from its row, else from the EHR; of all function instances one asks at a time.
 * `refused` is a token that the EHR no longer takes; `seen` is the row of this very purpose as it was read with the provider's, null
 * where there was none. AppError `ehr_timeout` when the signal ends first, `ehr_auth` when there is no token for us.
 */
export const tokenFor = (
  ctx: PlatformContext,
  provider: FhirProviderRow,
  scopes: readonly string[],
  { refused, seen, signal }: Asked = {},
): Promise<Token> => {
  const isRefused = (token: Token): boolean => token.accessToken === refused;
  return shared(ctx, sharedToken(ctx, provider, hasSingleToken(provider) ? [] : scopes), { isRefused, seen, signal });
};

function sharedToken(ctx: PlatformContext, provider: FhirProviderRow, scopes: readonly string[]): Shared<Token, FhirTokenRow> {
  const { id } = provider;
  // After a change of the connection its token is not shown to the server any more.
  const issuedFor = connectionDigest(provider);
  return {
    memory,
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
