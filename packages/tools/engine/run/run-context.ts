import type { BusinessHours, Language } from "@vitaline/contract";
import { AppError, type ErrorCode, errorFields, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { CallStateRow, IdempotencyRow, TenantRow } from "@vitaline/store";
import type { Intent, Run, RunResult } from "../../sdk/run.ts";
import type { ParsedCall, Level, Tool } from "../../sdk/define-tool.ts";
import type { ToolAnswer, ToolCall, ToolContext } from "../../sdk/context.ts";
import { verifiedPatientIn, withOpenChart } from "../../patient/chart.ts";
import { sentenceForFields, sentences } from "../../speech/sentences.ts";
import type { TimeLimit } from "./time-limit.ts";

export type RunContext = {
  ctx: ToolContext;
  call: ToolCall;
  tool: Tool;
  parsed: ParsedCall;
  tenant: TenantRow;
  hours: BusinessHours;
  language: Language;
  namedLanguage: Language | undefined;
  state: CallStateRow | undefined;
  requestRow: IdempotencyRow | undefined;
  requestKey: string;
  time: TimeLimit;
  startedAtMs: number;
};

/** The tool's own level, raised by the tenant's policy if a record is opened. */
const levelFor = ({ tool, parsed, tenant }: Pick<RunContext, "tool" | "parsed" | "tenant">): Level => {
  if (parsed.level === 0 && !parsed.patientRecord) return 0;
  const raised = tenant.policies?.toolLevels?.[tool.name] ?? 0;
  return raised > parsed.level ? raised : parsed.level;
};

export const isIdentified = (context: Pick<RunContext, "tool" | "parsed" | "tenant" | "state">): boolean => {
  const [level, { state }] = [levelFor(context), context];
  return level === 0 || (state?.patientId !== undefined && state.level >= level);
};

const noPatient = (): never => {
  throw new Error("This tool runs without a verified patient");
};

const noEhr = new Proxy({} as Ehr, {
  get() {
    throw new Error("This tool runs without a record system");
  },
});

/** AppError `identity_required` if the patient was verified in another EHR. */
export async function openRun(context: RunContext, recordIntent: (intent: Intent) => void): Promise<Run> {
  const { ctx, call, tool, tenant, hours, language, namedLanguage, state, parsed, requestKey, time } = context;
  const run = {
    ctx,
    call,
    tenant,
    hours,
    timeZone: hours.timezone,
    language,
    namedLanguage,
    state,
    requestKey,
    signal: time.signal,
    writeSignal: time.writeSignal,
    recordIntent,
  };
  if (tool.scopes.length === 0) return { ...run, providerId: undefined, chart: noPatient, ehr: noEhr };
  const opened = await time.within(ctx.openEhr(tenant, { officeId: call.officeId, scopes: tool.scopes }));
  if (levelFor(context) > 0 && state?.providerId !== opened.providerId)
    throw new AppError("identity_required", "The patient was verified in another record system.");
  const { ehr, chart } =
    parsed.level > 0 ? withOpenChart(opened, verifiedPatientIn(ctx.tenantId, state), time.signal) : { ehr: opened, chart: noPatient };
  return { ...run, providerId: ehr.providerId, ehr, chart };
}

export const answerOf = (
  { tool, hours }: Pick<RunContext, "tool" | "hours">,
  { code, output }: Pick<RunResult<unknown>, "code" | "output">,
): ToolAnswer => ({
  ok: code === undefined,
  ...(code ? { code } : {}),
  speech: tool.speak(output, hours.timezone),
  output,
});

export const failure = (code: ErrorCode, error?: unknown): ToolAnswer =>
  isAppError(error, "invalid_arguments") && error.fields ? wrongFields(error.fields) : { ok: false, code, speech: sentences[code] };

export const wrongFields = (fields: Record<string, string>): ToolAnswer => ({
  ok: false,
  code: "invalid_arguments",
  speech: sentenceForFields(fields),
  fields,
});

/** Unexpected errors are logged and reported as `unavailable`. */
export function errorCodeOf(ctx: ToolContext, call: ToolCall, error: unknown): ErrorCode {
  if (isAppError(error)) return error.code;
  ctx.log("error", "tool.failed", { ...errorFields(error), tool: call.name, callKey: call.callKey });
  return "unavailable";
}
