import { AppError, type ErrorCode, errorFields, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { CallStateRow, IdempotencyRow, TenantRow } from "@vitaline/store";
import type { TimeLimit } from "./deadline.ts";
import type { Intent, Ran, Run } from "../../sdk/run.ts";
import type { Invocation, Level, Tool } from "../../sdk/define-tool.ts";
import type { ToolAnswer, ToolCall, ToolContext } from "../../sdk/context.ts";
import { verifiedIn, withOpenChart } from "../../patient/chart.ts";
import { sentenceForFields, sentences } from "../../speech/sentences.ts";

/** Everything that one run is about, once the tenant and the call are known. */
export type Work = {
  ctx: ToolContext;
  call: ToolCall;
  tool: Tool;
  invocation: Invocation;
  tenant: TenantRow;
  timeZone: string;
  state: CallStateRow | undefined;
  earlier: IdempotencyRow | undefined;
  requestKey: string;
  time: TimeLimit;
  startedAtMs: number;
};

/** The level that is asked for: the tool's own, or the tenant's where that is higher and a record is opened. */
const levelFor = ({ tool, invocation, tenant }: Pick<Work, "tool" | "invocation" | "tenant">): Level => {
  if (invocation.level === 0 && !invocation.patientRecord) return 0;
  const raised = tenant.policies?.toolLevels?.[tool.name] ?? 0;
  return raised > invocation.level ? raised : invocation.level;
};

/** Whether the call is bound to a patient as firmly as is asked for. */
export const isIdentified = (work: Pick<Work, "tool" | "invocation" | "tenant" | "state">): boolean => {
  const [level, { state }] = [levelFor(work), work];
  return level === 0 || (state?.patientId !== undefined && state.level >= level);
};

const noPatient = (): never => {
  throw new Error("This tool runs without a verified patient");
};

/** Whatever is asked of it is a mistake in the tool: it has no scopes. */
const noEhr = new Proxy({} as Ehr, {
  get() {
    throw new Error("This tool runs without a record system");
  },
});

/** Opens the EHR, for a verified patient only as long as the chart is open. AppError `identity_required` when it is another one than the patient was verified in. */
export async function openRun(work: Work, intend: (intent: Intent) => void): Promise<Run> {
  const { ctx, call, tool, tenant, timeZone, state, invocation, requestKey, time } = work;
  const run = { ctx, call, tenant, timeZone, state, requestKey, signal: time.signal, writeSignal: time.writeSignal, intend };
  if (tool.scopes.length === 0) return { ...run, providerId: undefined, chart: noPatient, ehr: noEhr };
  const opened = await time.within(ctx.openEhr(tenant, { officeId: call.officeId, scopes: tool.scopes }));
  if (levelFor(work) > 0 && state?.providerId !== opened.providerId)
    throw new AppError("identity_required", "The patient was verified in another record system.");
  const { ehr, chart } =
    invocation.level > 0 ? withOpenChart(opened, verifiedIn(ctx.tenantId, state), time.signal) : { ehr: opened, chart: noPatient };
  return { ...run, providerId: ehr.providerId, ehr, chart };
}

/** The answer to a run that came to an end, also when that end is a polite no. */
export const answerOf = (
  { tool, timeZone }: Pick<Work, "tool" | "timeZone">,
  { code, output }: Pick<Ran<unknown>, "code" | "output">,
): ToolAnswer => ({
  ok: code === undefined,
  ...(code ? { code } : {}),
  speech: tool.speak(output, timeZone),
  output,
});

export const failure = (code: ErrorCode, error?: unknown): ToolAnswer =>
  isAppError(error, "invalid_arguments") && error.fields ? wrongFields(error.fields) : { ok: false, code, speech: sentences[code] };

/** The answer to arguments that cannot be used. */
export const wrongFields = (fields: Record<string, string>): ToolAnswer => ({
  ok: false,
  code: "invalid_arguments",
  speech: sentenceForFields(fields),
  fields,
});

/** What a failure is called; what nobody foresaw is logged by its kind and told as a problem of ours. */
export function codeOf(ctx: ToolContext, call: ToolCall, error: unknown): ErrorCode {
  if (isAppError(error)) return error.code;
  ctx.log("error", "tool.failed", { ...errorFields(error), tool: call.name, callKey: call.callKey });
  return "unavailable";
}
