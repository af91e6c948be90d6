import type { ErrorCode } from "@vitaline/core";
import type { Audit } from "@vitaline/store";
import type { Invocation } from "../../sdk/define-tool.ts";
import type { RunResult } from "../../sdk/run.ts";
import type { ToolCall } from "../../sdk/context.ts";

export type Outcome = { code?: ErrorCode; providerId?: string } & Pick<RunResult<unknown>, "patientId" | "detail">;

/** Runs from the console are audited, but not listed as calls or counted in metrics. */
export const testPlatform = "test";

export function auditEntry(
  call: ToolCall,
  startedAtMs: number,
  nowMs: number,
  invocation: Pick<Invocation, "patientRecord"> | undefined,
  { code, providerId, patientId, detail }: Outcome,
): Audit {
  return {
    category: invocation?.patientRecord ? "patient_access" : "api_call",
    action: `tool.${call.name}`,
    resourceType: patientId ? "Patient" : "Tool",
    resourceId: patientId ?? call.name,
    success: code === undefined,
    code,
    callKey: call.callKey,
    detail: {
      tool: call.name,
      ms: Math.max(0, nowMs - startedAtMs),
      platform: call.platform,
      ...(call.platform === testPlatform ? { test: true } : {}),
      ...(call.officeId ? { officeId: call.officeId } : {}),
      ...(providerId ? { fhirProviderId: providerId } : {}),
      ...detail,
    },
  };
}
