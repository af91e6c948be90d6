import type { Language, RoutingOutcome, RoutingReason, TaskAbout, TaskKind } from "@vitaline/contract";
import { type ErrorCode, isAppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { MessageDetail } from "@vitaline/messages";
import type { OpeningHours } from "@vitaline/offices";
import type { ActsFor, CallStateRow, TenantContext, TenantRow, Write } from "@vitaline/store";
import type { Identifier, Patient } from "fhir/r4.js";

export type ToolContext = TenantContext & {
  /** Reads ahead the rows for opening an EHR; `cacheKey` names the office, or the agent and the called number. */
  prefetchEhr(options: { cacheKey: string; scopes: readonly string[] }): Promise<void>;
  /** AppError `ehr_not_allowed` if the connection lacks one of the scopes. */
  openEhr(tenant: TenantRow, options: { officeId?: string | undefined; scopes: readonly string[] }): Promise<Ehr>;
  timeLimits?: TimeLimits;
};

export type ToolCall = {
  platform: string;
  /** The platform's id of the call. */
  callId: string;
  /** keys.callKeyOf(platform, callId). */
  callKey: string;
  /** The platform's id of the agent; its assignment gives the office if no other is known. */
  agentId?: string;
  officeId?: string;
  /** Counted for limits, and the number of an emergency task; never proof of identity. */
  callerNumber?: string;
  /** Stands for the number, where a call token hides it: counted for limits, no number to dial. */
  callerMark?: string;
  /** The tenant's number that was called; gives the office if no other is known. */
  calledNumber?: string;
  /** The language that the platform is set to. */
  language?: Language;
  toolCallId?: string;
  /** Of a test call, or a run of the tool console. */
  isTest?: true;
  name: string;
  /** An object, JSON text or nothing. */
  args: unknown;
};

/**
 * `speech`: one to three sentences for a voice, also after a failure; `output` is structured. `fields`: missing or wrong arguments, with the
 * expected form.
 */
export type ToolAnswer = { ok: boolean; code?: ErrorCode; speech: string; output?: unknown; fields?: Record<string, string> };

/** Milliseconds for the whole answer, and for one write at the EHR. */
export type TimeLimits = { answerMs: number; writeMs: number };

/** Facts for recovering a write of unknown outcome; stored sealed. */
export type PlannedWrite = Record<string, string>;

export type Run = {
  ctx: ToolContext;
  call: ToolCall;
  tenant: TenantRow;
  /** Opening hours and time zone of the office, else of the tenant. */
  hours: OpeningHours;
  timeZone: string;
  /** The language to answer in. */
  language: Language;
  /** As the voice agent named it, now or earlier in the call. */
  namedLanguage: Language | undefined;
  state: CallStateRow | undefined;
  /** undefined for a tool without scopes. */
  providerId: string | undefined;
  ehr: Ehr;
  /** Read once per run; AppError `ehr_forbidden` if the chart was closed since verification. */
  chart(): Promise<Patient>;
  /** Stays the same when the request is sent again. */
  executionKey: string;
  /** The HTTP request of an earlier attempt, which has ended: this one may take over its locks. */
  endedAttemptId?: string;
  /** Aborts when the answer is due. */
  signal: AbortSignal;
  /** For one write: at most five seconds. */
  writeSignal(): AbortSignal;
  /** Called before a write is sent; kept with the request if its outcome is unknown. */
  notePlannedWrite(plannedWrite: PlannedWrite): void;
  /** Called when a write of the tool has kept `namedLanguage`. */
  markLanguageStored(): void;
};

export type RunResult<Output> = {
  output: Output;
  code?: ErrorCode;
  patientId?: string;
  detail?: {
    action?: string;
    /** Of a booking that the clinic has granted: it is counted and announced. */
    booked?: true;
    /** Of a move to a granted time, or this run's cancellation of a granted appointment: it is announced. */
    confirmed?: true;
    reason?: RoutingReason;
    outcome?: RoutingOutcome;
    leadId?: string;
    taskId?: string;
    /** The promised task, where the run also made one to confirm its outcome. */
    promisedTaskId?: string;
    /** Keyed hashes of the verified chart's record numbers, by which an erasure finds the patient's approvals. Separated by a space. */
    charts?: string;
    /** As the voice agent named it, for the reminder. */
    language?: Language;
  } & Partial<MessageDetail & { appointmentId: string; start: string; end: string; cancelledId: string; cancelledStart: string }>;
  /** Who was verified to speak for the patient. */
  actsFor?: ActsFor | undefined;
  /** The staff task that the answer promises, committed with the audit row. `id`: the same for a retry. */
  task?: { kind: TaskKind; about?: Omit<TaskAbout, "tool" | "patientId" | "fhirProviderId">; id?: string };
  /** A row of the tool that is committed with the audit row and replaces the idempotency row. */
  insteadOfIdempotencyRow?: Write;
  /** The tool recognizes a retry itself, so no idempotency row is written. */
  skipsIdempotencyRow?: true;
  /** The answer of an earlier request, already audited. */
  isReplay?: true;
  /** Bookkeeping after the audit row. */
  afterAudit?(): Promise<void>;
  /** What must be kept though the audit row or the bookkeeping failed. Never throws. */
  afterFailure?(): Promise<void>;
};

const retryWindowMs = 60_000;

/** Without a tool call id, the same words within a minute are a retry; later they are a new request. */
export const isRetry = ({ ctx }: Run, askedAtMs: number): boolean => ctx.clock().getTime() - askedAtMs < retryWindowMs;

/** Identifier of resources made by a request, to find them after a lost answer. */
export const requestSystem = "urn:vitaline:tool-request";

export const executionKeyIn = ({ identifier = [] }: { identifier?: Identifier[] }): string | undefined =>
  identifier.find(({ system }) => system === requestSystem)?.value;

/**
 * Opens the EHR for optional scopes; undefined if the connection does not allow them. It does not guard the chart: await `run.chart()` or
 * a guarded request before answering from it.
 */
export async function openIfAllowed({ ctx, tenant, call, providerId }: Run, scopes: readonly string[]): Promise<Ehr | undefined> {
  const ehr = await ctx.openEhr(tenant, { officeId: call.officeId, scopes }).catch((error: unknown) => {
    if (isAppError(error, "ehr_not_allowed")) return undefined;
    throw error;
  });
  // The office may have changed its EHR just now.
  return ehr?.providerId === providerId ? ehr : undefined;
}
