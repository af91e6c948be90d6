import type { FhirHealth } from "@vitaline/contract";
import { logWith } from "@vitaline/core";
import { type ConnectionFault, connectionFaults, type ConnectionTest, type ConnectionTestStep, runConnectionTest } from "@vitaline/fhir";
import type { FhirHealthRow, FhirProviderRow } from "@vitaline/store";
import type { EhrRegistryContext } from "@vitaline/store/scoped.ts";
import { tokenFor } from "../ehr/access-token.ts";
import { closeCircuits } from "../ehr/circuit.ts";
import { findPlaceholder } from "../provider/addresses.ts";
import { clientRegistration, grantOf, isAuthorized, keyMatchesCertificate } from "../provider/credentials.ts";
import { readFhirProvider, readFhirProviders } from "../provider/provider-row.ts";
import { currentHealth, describeHistory, saveHealth } from "./save-health.ts";

const tenantPathVendors = new Set<FhirProviderRow["providerType"]>(["cerner", "allscripts"]);

/**
 * Runs the connection test of packages/fhir. Makes no request while an address has a placeholder, the key does not match the certificate,
 * or a needed authorization is missing.
 */
export async function runProviderTest(ctx: EhrRegistryContext, row: FhirProviderRow, patientId?: string): Promise<ConnectionTest> {
  if (findPlaceholder(row)) return failedAt("address", "placeholder_left");
  if (!(await keyMatchesCertificate(row))) return failedAt("token", "key_mismatch");
  const needsUser = grantOf(row) === "authorization_code";
  if (needsUser && !isAuthorized(row)) return failedAt("token", "not_authorized");
  const providerCtx = { ...ctx, log: logWith(ctx.log, { providerId: row.id }) };
  const { fhirVersion, providerType } = row;
  const userToken = needsUser ? () => tokenFor(providerCtx, row, []) : undefined;
  const hasTenantPath = tenantPathVendors.has(providerType);
  return runConnectionTest(providerCtx, { ...clientRegistration(providerCtx, row), fhirVersion, hasTenantPath, userToken }, patientId);
}

const failedAt = (step: ConnectionTestStep["step"], code: ConnectionTestStep["code"]): ConnectionTest => ({
  steps: [{ step, ok: false, ms: 0, code }],
});

/**
 * Tests a connection without reading a patient: the address and its TLS certificate, the CapabilityStatement, and a token (a new one,
 * except for the authorization_code grant). Stores and returns the health row. Throws only for our own faults.
 */
export const probeFhirProvider = async (ctx: EhrRegistryContext, row: FhirProviderRow): Promise<FhirHealthRow> =>
  saveHealth(ctx, row, await runProviderTest(ctx, row));

/** AppError `not_found`. */
export async function checkFhirProvider(ctx: EhrRegistryContext, id: string): Promise<FhirHealth> {
  const row = await readFhirProvider(ctx, id);
  const health = await probeFhirProvider(ctx, row);
  if (health.status === "healthy") await closeCircuits(ctx, id);
  return asFhirHealth(row, health);
}

/** The last check of every provider; "unknown" if there is none since the last change of the connection. */
export const fhirHealthStatus = async (ctx: EhrRegistryContext): Promise<{ providers: FhirHealth[] }> => ({
  providers: (await readFhirProviders(ctx)).map(({ row, health }) => asFhirHealth(row, health)),
});

function asFhirHealth(row: FhirProviderRow, health: FhirHealthRow | undefined): FhirHealth {
  const found = currentHealth(row, health);
  return {
    id: row.id,
    name: row.name,
    endpoint: row.baseUrl,
    status: found?.status ?? "unknown",
    lastChecked: found?.checkedAt ?? null,
    certificateExpiry: found?.certificateExpiry ?? null,
    history: describeHistory(found),
    ...(found && adviceOf(found)),
    software: found?.software,
    fhirVersion: found?.fhirVersion,
  };
}

function adviceOf({ code, warning }: FhirHealthRow): Pick<FhirHealth, "code" | "message"> {
  const fault = code ?? warning;
  return { code: fault, message: fault === undefined ? undefined : connectionFaults[fault as ConnectionFault] };
}
