import { isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Run } from "./run.ts";

/**
 * The same record system with a key to something that a tool can do without; undefined where the connection does not allow it.
 * It does not guard the chart: whoever gives its answers to a caller has waited for `run.chart()` or a guarded request.
 */
export async function openAlso({ ctx, tenant, call, providerId }: Run, scopes: readonly string[]): Promise<Ehr | undefined> {
  const ehr = await ctx.openEhr(tenant, { officeId: call.officeId, scopes }).catch((error: unknown) => {
    if (isAppError(error, "ehr_not_allowed")) return undefined;
    throw error;
  });
  // An office may have got another record system a moment ago.
  return ehr?.providerId === providerId ? ehr : undefined;
}
