import type { Language } from "@vitaline/contract";
import { AppError, type Deadline, type ErrorCode, errorFields, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import { hoursOf, isOpen, type OpeningHours } from "@vitaline/offices";
import type { CallStateRow, IdempotencyRow, OfficeRow, TenantRow } from "@vitaline/store";
import { verifiedPatientIn, withChartCheck } from "../../patient/chart.ts";
import type { Run, RunResult, TimeLimits, ToolAnswer, ToolCall, ToolContext } from "../../sdk/run.ts";
import type { CheckedRequest, Level, Tool } from "../../sdk/define-tool.ts";
import type { OfficeState, Phrasing } from "../../sdk/phrasing.ts";
import { phrasingOf } from "../../speech/phrasing.ts";
import { questionFor } from "../../speech/questions.ts";
import { errorSentence } from "../../speech/sentences.ts";

const defaultLimits: TimeLimits = { answerMs: 8000, writeMs: 5000 };

/** Reserved for the audit row and the answer. */
const reserveMs = 700;

type TimeLimit = { signal: AbortSignal; writeSignal(): AbortSignal; within<T>(work: Promise<T>): Promise<T> };

/** Starts the time limit of a run: eight seconds by default, less if the request has less. */
export function startTimeLimit(deadline: Deadline, { answerMs, writeMs } = defaultLimits): TimeLimit {
  const signal = AbortSignal.timeout(Math.max(1, Math.min(answerMs, deadline.remainingMs()) - reserveMs));
  return {
    signal,
    writeSignal: () => AbortSignal.any([signal, AbortSignal.timeout(writeMs)]),
    // Work that ignores the signal must not delay the answer.
    within: (work) =>
      new Promise((resolve, reject) => {
        const graceMs = reserveMs / 3;
        const late = () => setTimeout(() => reject(new AppError("deadline_exceeded", "The tool did not finish in time.")), graceMs);
        let timer: NodeJS.Timeout | undefined;
        const onAbort = () => (timer = late());
        if (signal.aborted) onAbort();
        else signal.addEventListener("abort", onAbort, { once: true });
        work.then(resolve, reject).finally(() => {
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
        });
      }),
  };
}

type OfCall = { ctx: ToolContext; call: ToolCall; tenant: TenantRow; office: OfficeRow | undefined };

/** Says something as this caller is answered now. */
type SayToCaller = (say: (phrasing: Phrasing) => string) => Promise<string>;

/** Looks up who is at the office only if the text offers to connect the caller: one read, in a call without a known office. */
export function sayToCallerOf(of: OfCall, language: Language): SayToCaller {
  const now = of.ctx.clock();
  const moment = { language, timeZone: hoursOf(of.tenant, of.office).timezone, now };
  return async (say) => {
    const phrasing = phrasingOf({ ...moment, office: "unknown" });
    const text = say(phrasing);
    const isOffered = text.includes(phrasing.offerOffice) || text.includes(phrasing.handOverSentence);
    return isOffered ? say(phrasingOf({ ...moment, office: await officeStateOf(of, now) })) : text;
  };
}

async function officeStateOf(of: OfCall, now: Date): Promise<OfficeState> {
  try {
    const { staffOfCall } = await import("../../routing/on-duty.ts");
    const { office, destinations } = await staffOfCall(of, { said: "a person", reason: "person" }, of.office);
    if (destinations.length > 0) return "reachable";
    return isOpen(hoursOf(of.tenant, office), now) ? "unstaffed" : "closed";
  } catch (error) {
    of.ctx.log("warn", "tool.office_unknown", { ...errorFields(error), callKey: of.call.callKey });
    return "unknown";
  }
}

export type PreparedRun = {
  ctx: ToolContext;
  call: ToolCall;
  tool: Tool;
  request: CheckedRequest;
  tenant: TenantRow;
  hours: OpeningHours;
  sayToCaller: SayToCaller;
  language: Language;
  namedLanguage: Language | undefined;
  state: CallStateRow | undefined;
  requestRow: IdempotencyRow | undefined;
  requestKey: string;
  time: TimeLimit;
  startedAtMs: number;
  markLanguageStored: () => void;
};

/** The tool's own level, raised by the tenant's policy if a record is opened. */
const levelFor = ({ tool, request, tenant }: Pick<PreparedRun, "tool" | "request" | "tenant">): Level => {
  if (request.level === 0 && !request.patientRecord) return 0;
  const raised = tenant.policies?.toolLevels?.[tool.name] ?? 0;
  return raised > request.level ? raised : request.level;
};

export const isIdentified = (context: Pick<PreparedRun, "tool" | "request" | "tenant" | "state">): boolean => {
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
export async function openRun(
  context: PreparedRun,
  {
    executionKey = context.requestKey,
    notePlannedWrite = () => {},
    ...more
  }: Partial<Pick<Run, "executionKey" | "endedAttemptId" | "notePlannedWrite">> = {},
): Promise<Run> {
  const { ctx, call, tool, tenant, hours, language, namedLanguage, state, request, time, markLanguageStored } = context;
  const run = {
    ...more,
    ctx,
    call,
    tenant,
    hours,
    timeZone: hours.timezone,
    language,
    namedLanguage,
    state,
    executionKey,
    signal: time.signal,
    writeSignal: time.writeSignal,
    notePlannedWrite,
    markLanguageStored,
  };
  if (tool.scopes.length === 0) return { ...run, providerId: undefined, chart: noPatient, ehr: noEhr };
  const opened = await time.within(ctx.openEhr(tenant, { officeId: call.officeId, scopes: tool.scopes }));
  if (levelFor(context) > 0 && state?.providerId !== opened.providerId)
    throw new AppError("identity_required", "The patient was verified in another record system.");
  const { ehr, chart } =
    request.level > 0 ? withChartCheck(opened, verifiedPatientIn(ctx.tenantId, state), time.signal) : { ehr: opened, chart: noPatient };
  return { ...run, providerId: ehr.providerId, ehr, chart };
}

type Spoken = Pick<PreparedRun, "tool" | "sayToCaller">;

export const answerOf = async (
  { tool, sayToCaller }: Spoken,
  { code, output }: Pick<RunResult<unknown>, "code" | "output">,
): Promise<ToolAnswer> => ({
  ok: code === undefined,
  ...(code ? { code } : {}),
  speech: await sayToCaller((phrasing) => tool.speak(output, phrasing)),
  output,
});

export const refusal = async (code: ErrorCode, { sayToCaller }: Pick<Spoken, "sayToCaller">): Promise<ToolAnswer> => ({
  ok: false,
  code,
  speech: await sayToCaller((phrasing) => errorSentence(code, phrasing)),
});

export const failure = (context: Spoken, code: ErrorCode, error?: unknown): Promise<ToolAnswer> =>
  isAppError(error, "invalid_arguments") && error.fields ? wrongFields(context, error.fields) : refusal(code, context);

export const wrongFields = async ({ tool, sayToCaller }: Spoken, fields: Record<string, string>): Promise<ToolAnswer> => ({
  ok: false,
  code: "invalid_arguments",
  speech: await sayToCaller((phrasing) => questionFor(tool.questions, fields, phrasing)),
  fields,
});

/** Unexpected errors are logged and reported as `unavailable`. */
export function errorCodeOf(ctx: ToolContext, call: ToolCall, error: unknown): ErrorCode {
  if (isAppError(error)) return error.code;
  ctx.log("error", "tool.failed", { ...errorFields(error), tool: call.name, callKey: call.callKey });
  return "unavailable";
}
