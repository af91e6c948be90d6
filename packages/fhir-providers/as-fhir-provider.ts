import type { FhirHealth, FhirProvider } from "@vitaline/contract";
import { connectionFaults, readScope, type ConnectionFault } from "@vitaline/fhir";
import type { FhirHealthRow, FhirProviderRow } from "@vitaline/store";
import { clientAuthOf } from "./credentials.ts";
import { toldHistory } from "./health-history.ts";
import { connectionDigest, grantOf, isAuthorized } from "./registration.ts";

/** What the last check found, if it was of the connection as it is now. */
export const healthNow = (row: FhirProviderRow, health: FhirHealthRow | undefined): FhirHealthRow | undefined =>
  health?.connection === connectionDigest(row) ? health : undefined;

/** A provider as administrators see it: of its secrets only that there are some. */
export function asFhirProvider(row: FhirProviderRow, health?: FhirHealthRow, ownerTenantName?: string): FhirProvider {
  const { id, name, providerType, fhirVersion, baseUrl, clientId, scopes, isActive, createdAt, version = 1 } = row;
  return {
    ...{ id, name, providerType, fhirVersion, baseUrl, clientId, scopes, isActive, createdAt, version },
    ...accessOf(scopes),
    providerName: name,
    clientAuth: clientAuthOf(row),
    grant: grantOf(row),
    isAuthorized: isAuthorized(row),
    hasClientSecret: row.clientSecret !== undefined,
    hasPrivateKey: row.privateKey !== undefined,
    redirectUri: row.redirectUri ?? null,
    authUrl: row.authUrl ?? null,
    tokenUrl: row.tokenUrl ?? null,
    certificateData: row.certificateData ?? null,
    description: row.description ?? null,
    connectionStatus: healthNow(row, health)?.status ?? "unknown",
    ownerTenantId: row.ownerTenantId ?? null,
    ownerTenantName: ownerTenantName ?? null,
  };
}

/** What the saved scopes allow: a change is any of create, update and delete, in either of SMART's spellings. */
function accessOf(scopes: string): Pick<FhirProvider, "access" | "resourceCount"> {
  const known = scopes.split(" ").flatMap((scope) => readScope(scope) ?? []);
  return {
    access: known.some(({ letters }) => /[cud]/.test(letters)) ? "Read/Write" : "Read Only",
    resourceCount: new Set(known.map(({ type }) => type)).size,
  };
}

export function asFhirHealth(row: FhirProviderRow, health: FhirHealthRow | undefined): FhirHealth {
  const found = healthNow(row, health);
  return {
    id: row.id,
    name: row.name,
    endpoint: row.baseUrl,
    status: found?.status ?? "unknown",
    lastChecked: found?.checkedAt ?? null,
    certificateExpiry: found?.certificateExpiry ?? null,
    history: toldHistory(found),
    ...(found && adviceIn(found)),
    software: found?.software,
    fhirVersion: found?.fhirVersion,
  };
}

/** What was found wrong, or else worth a warning. The code of a row from before may be one that nobody says any more. */
function adviceIn({ code, warning }: FhirHealthRow): Pick<FhirHealth, "code" | "message"> {
  const told = code ?? warning;
  return { code: told, message: told === undefined ? undefined : connectionFaults[told as ConnectionFault] };
}
