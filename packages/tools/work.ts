import { AppError, errorFields, isAppError, type ErrorCode } from "@vitaline/core";
import type { CallStateRow, IdempotencyRow, TenantRow } from "@vitaline/store";
import type { TimeLimit } from "./deadline.ts";
import type { Intent, Invocation, Ran, Run, Tool, ToolAnswer, ToolCall, ToolContext } from "./define-tool.ts";
import { withOpenChart } from "./open-chart.ts";
import { sentenceForFields, sentences } from "./sentences.ts";

/** Everything that one run is about, once the tenant and the call are known. */
export type Work = {
  ctx: ToolContext;
  call: ToolCall;
  tool: Tool;
  invocation: Invocation;
  args: unknown;
  tenant: TenantRow;
  state: CallStateRow | undefined;
  earlier: IdempotencyRow | undefined;
  requestKey: string;
  time: TimeLimit;
  startedAtMs: number;
};

/** Whether the call is bound to a patient as firmly as the tool asks for. */
export const isIdentified = ({ invocation, state }: Pick<Work, "invocation" | "state">): boolean =>
  invocation.level === 0 || (state?.patientId !== undefined && state.level >= invocation.level);

const noPatient = (): never => {
  throw new Error("This tool runs without a verified patient");
};

/** Opens the EHR, for a verified patient only as long as the chart is open. AppError `identity_required` when it is another one than the patient was verified in. */
export async function openRun(
  { ctx, call, tenant, state, invocation, requestKey, time }: Work,
  intend: (intent: Intent) => void,
): Promise<Run> {
  const opened = await time.within(ctx.openEhr(tenant, call.officeId));
  if (invocation.level > 0 && state?.providerId !== opened.providerId)
    throw new AppError("identity_required", "The patient was verified in another record system.");
  const { ehr, chart } =
    invocation.level > 0 ? withOpenChart(opened, state?.patientId ?? "", time.signal) : { ehr: opened, chart: noPatient };
  return { ctx, call, tenant, state, ehr, chart, requestKey, signal: time.signal, writeSignal: time.writeSignal, intend };
}

/** The answer to a run that came to an end, also when that end is a polite no. */
export const answerOf = (tool: Tool, tenant: TenantRow, { code, output }: Pick<Ran<unknown>, "code" | "output">): ToolAnswer => ({
  ok: code === undefined,
  ...(code ? { code } : {}),
  speech: tool.speak(output, tenant),
  output,
});

export const failure = (code: ErrorCode, error?: unknown): ToolAnswer => ({
  ok: false,
  code,
  speech: isAppError(error, "invalid_arguments") && error.fields ? sentenceForFields(error.fields) : sentences[code],
});

/** What a failure is called; what nobody foresaw is logged by its kind and told as a problem of ours. */
export function codeOf(ctx: ToolContext, call: ToolCall, error: unknown): ErrorCode {
  if (isAppError(error)) return error.code;
  ctx.log("error", "tool.failed", { ...errorFields(error), tool: call.name, callKey: call.callKey });
  return "unavailable";
}
