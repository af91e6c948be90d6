import type { FhirHealth } from "@vitaline/contract";
import { logWith } from "@vitaline/core";
import { type ConnectionFault, connectionFaults, type ConnectionTest, type ConnectionTestStep, runConnectionTest } from "@vitaline/fhir";
import type { FhirHealthRow, FhirProviderRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { tokenFor } from "../ehr/access-token.ts";
import { findPlaceholder } from "../provider/addresses.ts";
import { clientRegistration, grantOf, isAuthorized } from "../provider/client-registration.ts";
import { keyMatchesCertificate } from "../provider/credentials.ts";
import { readFhirProvider, readFhirProviders } from "../provider/provider-row.ts";
import { describeHistory, healthNow, saveHealth } from "./save-health.ts";

/** Vendors whose addresses hold the id of a clinic. */
const withTenantPath = new Set<FhirProviderRow["providerType"]>(["cerner", "allscripts"]);

/**
 * Walks a provider's connection as packages/fhir describes. Nobody is called while an address holds a placeholder, the key is not the
 * certificate's, or nobody has let us in who has to.
 */
export async function runProviderTest(ctx: PlatformContext, row: FhirProviderRow, patientId?: string): Promise<ConnectionTest> {
  if (findPlaceholder(row)) return untried("address", "placeholder_left");
  if (!(await keyMatchesCertificate(row))) return untried("token", "key_mismatch");
  const bySomebody = grantOf(row) === "authorization_code";
  if (bySomebody && !isAuthorized(row)) return untried("token", "not_authorized");
  const own = { ...ctx, log: logWith(ctx.log, { providerId: row.id }) };
  const { fhirVersion, providerType } = row;
  const userToken = bySomebody ? () => tokenFor(own, row, []) : undefined;
  const hasTenantPath = withTenantPath.has(providerType);
  return runConnectionTest(own, { ...clientRegistration(own, row), fhirVersion, hasTenantPath, userToken }, patientId);
}

const untried = (step: ConnectionTestStep["step"], code: ConnectionTestStep["code"]): ConnectionTest => ({
  steps: [{ step, ok: false, ms: 0, code }],
});

/**
 * Tries a connection without reading a patient: the address, its TLS certificate, the server's statement, and a token, a fresh one
 * unless it is of somebody who has let us in. Writes the provider's health row and answers it. Never throws for the other side's faults.
 */
export const probeFhirProvider = async (ctx: PlatformContext, row: FhirProviderRow): Promise<FhirHealthRow> =>
  saveHealth(ctx, row, await runProviderTest(ctx, row));

/** A probe that somebody asked for. AppError `not_found`. */
export async function checkFhirProvider(ctx: PlatformContext, id: string): Promise<FhirHealth> {
  const row = await readFhirProvider(ctx, id);
  return asFhirHealth(row, await probeFhirProvider(ctx, row));
}

/** What the last checks found of all providers; one that was never checked, or was changed since, is unknown. */
export const fhirHealthStatus = async (ctx: PlatformContext): Promise<{ providers: FhirHealth[] }> => ({
  providers: (await readFhirProviders(ctx)).map(({ row, health }) => asFhirHealth(row, health)),
});

function asFhirHealth(row: FhirProviderRow, health: FhirHealthRow | undefined): FhirHealth {
  const found = healthNow(row, health);
  return {
    id: row.id,
    name: row.name,
    endpoint: row.baseUrl,
    status: found?.status ?? "unknown",
    lastChecked: found?.checkedAt ?? null,
    certificateExpiry: found?.certificateExpiry ?? null,
    history: describeHistory(found),
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
