import type { ConnectionTestResult } from "@vitaline/contract";
import { connectionFaults, type ConnectionTest } from "@vitaline/fhir";
import type { FhirProviderRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { type Operation, operationsByAccess } from "../provider/granted-scopes.ts";
import { ownerStore, readFhirProvider } from "../provider/provider-row.ts";
import { runProviderTest } from "./health.ts";
import { saveHealth } from "./save-health.ts";

const wellDone = "Connection Test Successful: FHIR provider is working correctly.";
const goneWell = {
  address: "The server is reached.",
  discovery: "The token address is known.",
  token: "The server grants a token.",
  capability: "The FHIR version is the right one.",
  patient: "The patient is read.",
} as const;

/**
 * Tries a connection as far as reading one patient. Audited as an access to a patient, whatever came of it, before the answer
 * leaves, in the log of the tenant that keeps the provider, else in the platform's: it names the patient
 * by id, if one was read. The answer's sentences hold nothing that the other side said; beside them it names those of the
 * operations that the saved scopes do not allow.
 */
export async function testFhirProvider(
  ctx: PlatformContext,
  id: string,
  patientId: string,
  operations: readonly Operation[] = [],
): Promise<ConnectionTestResult> {
  const row = await readFhirProvider(ctx, id);
  return testConnection({ ...ctx, platform: ownerStore(ctx, row.ownerTenantId) }, row, patientId, operations);
}

/** The same of a row; `ctx` says in whose log the audit stands. */
export async function testConnection(
  ctx: PlatformContext,
  row: FhirProviderRow,
  patientId: string,
  operations: readonly Operation[],
): Promise<ConnectionTestResult> {
  const trial = await runProviderTest(ctx, row, patientId);
  const code = trial.steps.find(({ ok }) => !ok)?.code;
  await ctx.platform.commit([], {
    category: "patient_access",
    action: "fhirProvider.test",
    // Whose record was opened is what such a row is for.
    ...(trial.patient?.id
      ? { resourceType: "Patient", resourceId: trial.patient.id }
      : { resourceType: "FhirProvider", resourceId: row.id }),
    success: code === undefined,
    code,
    detail: { fhirProviderId: row.id, steps: trial.steps.length, ms: trial.steps.reduce((sum, { ms }) => sum + ms, 0) },
  });
  await saveHealth(ctx, row, trial);
  return {
    success: code === undefined,
    message: code === undefined ? wellDone : connectionFaults[code],
    patientData: patientIn(trial),
    error: code ?? null,
    details: trial.steps.map((step) => ({ ...step, message: step.code ? connectionFaults[step.code] : goneWell[step.step] })),
    toolsNotAllowed: operationsByAccess(row, operations).notAllowed,
  };
}

function patientIn({ patient }: ConnectionTest): ConnectionTestResult["patientData"] {
  if (!patient) return null;
  const names = patient.name ?? [];
  const shown = names.find(({ use }) => use === "official") ?? names[0];
  const name = shown?.text ?? [shown?.given, shown?.family].flat().filter(Boolean).join(" ");
  return { id: patient.id ?? "", name: name || null, birthDate: patient.birthDate ?? null, gender: patient.gender ?? null };
}
