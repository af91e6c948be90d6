import type { OutboundResponse } from "@vitaline/outbound";
import { ehrError } from "./errors.ts";
import { exchange } from "./exchange.ts";
import { refusalOf } from "./refusal.ts";
import type { FhirContext } from "./types.ts";
import { bodyAs, CapabilityStatement, SmartConfiguration } from "./wire.ts";

/** What a server says of its authorization; an absent list proves nothing. */
export type Discovery = { tokenUrl?: string; authMethods?: string[]; signingAlgorithms?: string[] };

const cacheMs = 3_600_000;
const cached = new Map<string, { discovery: Discovery; untilMs: number }>();
const maxStatementBytes = 8 << 20;
const oauthUris = "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris";

/** The server's SMART configuration, else the oauth-uris of its CapabilityStatement, else nothing. Kept for an hour. */
export async function discover(ctx: FhirContext, baseUrl: string, signal?: AbortSignal): Promise<Discovery> {
  const nowMs = ctx.clock().getTime();
  const known = cached.get(baseUrl);
  if (known && known.untilMs > nowMs) return known.discovery;
  const discovery = (await smartConfiguration(ctx, baseUrl, signal)) ?? (await oauthExtension(ctx, baseUrl, signal)) ?? {};
  if (discovery.tokenUrl) cached.set(baseUrl, { discovery, untilMs: nowMs + cacheMs });
  return discovery;
}

/** After a refusal by the token endpoint: what was discovered may have moved. */
export const forgetDiscovery = (baseUrl: string): void => void cached.delete(baseUrl);

async function smartConfiguration(ctx: FhirContext, baseUrl: string, signal: AbortSignal | undefined): Promise<Discovery | undefined> {
  const response = await ask(ctx, baseUrl, "/.well-known/smart-configuration", "application/json", signal);
  const found = bodyAs(SmartConfiguration, response);
  if (response.status !== 200 || !found) return undefined;
  return {
    tokenUrl: absolute(found.token_endpoint, baseUrl),
    authMethods: found.token_endpoint_auth_methods_supported ?? undefined,
    signingAlgorithms: found.token_endpoint_auth_signing_alg_values_supported ?? undefined,
  };
}

async function oauthExtension(ctx: FhirContext, baseUrl: string, signal: AbortSignal | undefined): Promise<Discovery | undefined> {
  const response = await ask(ctx, baseUrl, "/metadata", "application/fhir+json", signal);
  const statement = response.status === 200 ? bodyAs(CapabilityStatement, response) : undefined;
  const token = statement?.rest
    .flatMap(({ security }) => security?.extension ?? [])
    .filter(({ url }) => url === oauthUris)
    .flatMap(({ extension }) => extension ?? [])
    .find(({ url }) => url === "token")?.valueUri;
  return token ? { tokenUrl: absolute(token, baseUrl) } : undefined;
}

/** A failing server is told from one that has no such document: only the latter sends us on to the next place. */
async function ask(
  ctx: FhirContext,
  baseUrl: string,
  path: string,
  accept: string,
  signal: AbortSignal | undefined,
): Promise<OutboundResponse> {
  const response = await exchange(ctx, {
    url: baseUrl + path,
    headers: { Accept: accept },
    savedOrigin: new URL(baseUrl).origin,
    maxBytes: maxStatementBytes,
    operation: path === "/metadata" ? "metadata" : "discovery",
    effect: "read",
    signal,
  });
  const refusal = response.status === 429 || response.status >= 500 ? refusalOf(response, "read", ctx.clock()) : undefined;
  if (refusal) throw refusal;
  return response;
}

function absolute(address: string, baseUrl: string): string {
  if (!URL.canParse(address, `${baseUrl}/`)) throw ehrError("ehr_invalid");
  return new URL(address, `${baseUrl}/`).href;
}
