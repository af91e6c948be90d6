import type { ToolRun } from "@vitaline/contract";
import { awaitAllThenThrow, type ErrorCode } from "@vitaline/core";
import { type CallRow, keys, type PatientRef, rowsOf, type TenantContext, type ToolRunRow } from "@vitaline/store";
import { isOver } from "./call-view.ts";

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

/** The names of the tools that a call used, as its runs tell: strongly consistent. */
export async function toolNamesOfCall({ store, tenantId }: Pick<TenantContext, "store" | "tenantId">, callKey: string): Promise<string[]> {
  const names = new Set<string>();
  const partition = keys.tenantPartitions.callItems(tenantId, callKey);
  for await (const { tool } of rowsOf<ToolRunRow>(store, partition, { prefix: "RUN#", now: true })) names.add(tool);
  return [...names];
}

/**
 * Calls in progress with all tools that they used so far: a run that tells nothing but its tool's name is on the call's row with the next
 * one that tells more, or at the end. One Query for each call in progress, in one round trip.
 */
export const withToolsSoFar = (ctx: TenantContext, rows: readonly CallRow[]): Promise<CallRow[]> =>
  awaitAllThenThrow(
    rows.map(async (row) => {
      if (isOver(row)) return row;
      return withTools(row, await toolNamesOfCall(ctx, row.callKey));
    }),
  );

/** A call in progress with these tools too; one that is over has all of its tools on its row. */
export const withTools = (row: CallRow, names: readonly string[]): CallRow =>
  isOver(row) || names.length === 0 ? row : { ...row, toolsUsed: new Set([...(row.toolsUsed ?? []), ...names]) };

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
