import type { ToolRun } from "@vitaline/contract";
import type { ErrorCode } from "@vitaline/core";
import { keys, type Page, type PatientRef, type TenantContext, type ToolRunRow } from "@vitaline/store";

/** The code of a request that told of an emergency. */
const emergencyCode: ErrorCode = "emergency";

const pageSize = 100;
const maxOfCall = 500;

/** Tool runs of all calls, newest first, with a projection delay of about a second. One Query per page. */
export async function toolRuns(
  ctx: TenantContext,
  { limit = pageSize, cursor }: { limit?: number; cursor?: string },
): Promise<Page<ToolRun>> {
  const { rows, next } = await ctx.store.query<ToolRunRow>(keys.tenantPartitions.runs(ctx.tenantId), {
    index: "gsi1",
    descending: true,
    limit,
    cursor,
  });
  return { rows: rows.map(toToolRun), next };
}

/** With the patients whose records were opened. One Query. */
export async function toolRunsOfCall(ctx: TenantContext, callKey: string): Promise<{ runs: ToolRun[]; patients: PatientRef[] }> {
  const partition = keys.tenantPartitions.callItems(ctx.tenantId, callKey);
  const { rows } = await ctx.store.query<ToolRunRow>(partition, { prefix: "RUN#", limit: maxOfCall });
  const patients = new Map(rows.flatMap(({ patient }) => (patient ? [[`${patient.fhirProviderId}|${patient.id}`, patient]] : [])));
  return { runs: rows.map(toToolRun), patients: [...patients.values()] };
}

const outcomeOf = ({ success, code = null }: { success: boolean; code?: string | null | undefined }): Pick<ToolRun, "status" | "code"> =>
  code === emergencyCode ? { status: "emergency", code: null } : { status: success ? "succeeded" : "failed", code };

const toToolRun = ({ id, at, tool, success, code, ms, requestId, callKey }: ToolRunRow): ToolRun => ({
  id,
  createdAt: at,
  toolName: tool,
  ...outcomeOf({ success, code }),
  ms,
  requestId,
  callId: callKey,
});
