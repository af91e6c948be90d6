import { isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Run } from "./run.ts";

/**
 * Opens the EHR for optional scopes; undefined if the connection does not allow them. It does not guard the chart: await `run.chart()` or
 * a guarded request before answering from it.
 */
export async function openIfAllowed({ ctx, tenant, call, providerId }: Run, scopes: readonly string[]): Promise<Ehr | undefined> {
  const ehr = await ctx.openEhr(tenant, { officeId: call.officeId, scopes }).catch((error: unknown) => {
    if (isAppError(error, "ehr_not_allowed")) return undefined;
    throw error;
  });
  // The office may have changed its EHR just now.
  return ehr?.providerId === providerId ? ehr : undefined;
}
