import type { ErrorCode } from "@vitaline/core";
import type { Audit } from "@vitaline/store";
import type { Invocation } from "../../sdk/define-tool.ts";
import type { Ran } from "../../sdk/run.ts";
import type { ToolCall } from "../../sdk/context.ts";

/** How a run ended, no code means well; and which record system was opened for it, if one was. */
export type Outcome = { code?: ErrorCode; providerId?: string } & Pick<Ran<unknown>, "patientId" | "detail">;

/** The platform of runs that people try out in the console: they are audited, and enter no list of calls and no metric. */
export const testPlatform = "test";

/** What the audit log says of a run: which tool, how it ended, in which call. Never what was said or found. */
export function auditOf(
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
