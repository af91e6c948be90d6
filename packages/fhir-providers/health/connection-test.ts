import type { ConnectionTestResult } from "@vitaline/contract";
import { connectionFaults, type ConnectionTest } from "@vitaline/fhir";
import { countWithinHour, keys, type FhirProviderRow } from "@vitaline/store";
import type { EhrRegistryContext, ScopedContext } from "@vitaline/store/scoped.ts";
import { closeCircuits } from "../ehr/circuit.ts";
import { type Operation, operationsByAccess } from "../provider/granted-scopes.ts";
import { ownerStore, readFhirProvider } from "../provider/provider-row.ts";
import { runProviderTest } from "./health.ts";
import { saveHealth } from "./save-health.ts";

const successMessage = "Connection Test Successful: FHIR provider is working correctly.";
const stepMessages = {
  address: "The server was reached.",
  discovery: "The token endpoint was found.",
  token: "The server granted a token.",
  capability: "The FHIR version matches.",
  patient: "The patient was read.",
} as const;

/**
 * Tests a connection including reading one patient. Audited as a patient access before returning, with the patient's id if one was read, in
 * the log of the tenant that owns the provider, else in the platform's. `toolsNotAllowed`: those of `operations` that the saved scopes do
 * not cover. AppError `not_found`, `too_many_requests`.
 */
export async function testFhirProvider(
  ctx: ScopedContext<"ehr" | "throttle">,
  id: string,
  patientId: string,
  operations: readonly Operation[] = [],
): Promise<ConnectionTestResult> {
  await countConnectionTest(ctx);
  const row = await readFhirProvider(ctx, id);
  return testConnection({ ...ctx, platform: ownerStore(ctx, row.ownerTenantId) }, row, patientId, operations);
}

/** Of one user. A list of patient ids would otherwise give their names and birth dates. */
const maxTestsAnHour = 60;
/** AppError `too_many_requests`. */
export async function countConnectionTest({ platform, actor, clock }: ScopedContext<"throttle">): Promise<void> {
  const refusal = "You have tested connections many times in the last hour. Please try again later.";
  const keyOf = (hour: string) => keys.throttle("connectionTest", actor.id, hour);
  await countWithinHour(platform, keyOf, { limit: maxTestsAnHour, now: clock(), refusal });
}

/** Like testFhirProvider, without its limit; audited in the log of `ctx.platform`. */
export async function testConnection(
  ctx: EhrRegistryContext,
  row: FhirProviderRow,
  patientId: string,
  operations: readonly Operation[],
): Promise<ConnectionTestResult> {
  const test = await runProviderTest(ctx, row, patientId);
  const code = test.steps.find(({ ok }) => !ok)?.code;
  await ctx.platform.commit([], {
    category: "patient_access",
    action: "fhirProvider.test",
    ...(test.patient?.id ? { resourceType: "Patient", resourceId: test.patient.id } : { resourceType: "FhirProvider", resourceId: row.id }),
    success: code === undefined,
    code,
    detail: { fhirProviderId: row.id, steps: test.steps.length, ms: test.steps.reduce((sum, { ms }) => sum + ms, 0) },
  });
  await saveHealth(ctx, row, test);
  if (code === undefined) await closeCircuits(ctx, row.id);
  return {
    success: code === undefined,
    message: code === undefined ? successMessage : connectionFaults[code],
    patientData: patientData(test),
    error: code ?? null,
    details: test.steps.map((step) => ({ ...step, message: step.code ? connectionFaults[step.code] : stepMessages[step.step] })),
    toolsNotAllowed: operationsByAccess(row, operations).notAllowed,
  };
}

function patientData({ patient }: ConnectionTest): ConnectionTestResult["patientData"] {
  if (!patient) return null;
  const names = patient.name ?? [];
  const shown = names.find(({ use }) => use === "official") ?? names[0];
  const name = shown?.text ?? [shown?.given, shown?.family].flat().filter(Boolean).join(" ");
  return { id: patient.id ?? "", name: name || null, birthDate: patient.birthDate ?? null, gender: patient.gender ?? null };
}
