import type { ToolRun } from "@vitaline/contract";
import type { ErrorCode } from "@vitaline/core";
import { keys, type PatientRef, type TenantContext, type ToolRunRow } from "@vitaline/store";

/** The code of a request that told of an emergency. */
const emergencyCode: ErrorCode = "emergency";

const maxOfCall = 500;

/** With the patients whose records were opened. One Query. */
export async function toolRunsOfCall(ctx: TenantContext, callKey: string): Promise<{ runs: ToolRun[]; patients: PatientRef[] }> {
  const partition = keys.tenantPartitions.callItems(ctx.tenantId, callKey);
  const { rows } = await ctx.store.query<ToolRunRow>(partition, { prefix: "RUN#", limit: maxOfCall });
  const patients = new Map(rows.flatMap(({ patient }) => (patient ? [[`${patient.fhirProviderId}|${patient.id}`, patient]] : [])));
  return { runs: rows.map(toToolRun), patients: [...patients.values()] };
}

const outcomeOf = ({ success, code = null }: { success: boolean; code?: string | null | undefined }): Pick<ToolRun, "status" | "code"> =>
  code === emergencyCode ? { status: "emergency", code: null } : { status: success ? "succeeded" : "failed", code };

export const toToolRun = ({ id, at, tool, success, code, ms, requestId, callKey }: ToolRunRow): ToolRun => ({
  id,
  createdAt: at,
  toolName: tool,
  ...outcomeOf({ success, code }),
  ms,
  requestId,
  callId: callKey,
});
