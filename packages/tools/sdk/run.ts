import type { RoutingOutcome, RoutingReason, TaskAbout, TaskKind } from "@vitaline/contract";
import type { ErrorCode } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { MessageDetail } from "@vitaline/messages";
import type { CallStateRow, TenantRow, Write } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import type { ToolCall, ToolContext } from "./context.ts";

/** Small facts from which the outcome of a write can be found again. They are kept sealed. */
export type Intent = Record<string, string>;

/** One run of a tool. */
export type Run = {
  ctx: ToolContext;
  call: ToolCall;
  tenant: TenantRow;
  /** Of the office that was called, else of the tenant: in which times are spoken and understood. */
  timeZone: string;
  state: CallStateRow | undefined;
  /** Of the tenant's record system; absent for a tool without scopes, which has none to ask. */
  providerId: string | undefined;
  ehr: Ehr;
  /** The verified patient's chart, read once a run; AppError `ehr_forbidden` when it was closed meanwhile. */
  chart(): Promise<Patient>;
  /** Stands for this wish, also when its request is sent again. */
  requestKey: string;
  /** The HTTP request that tried this before and has ended, with an outcome that nobody knows. */
  triedBy?: string;
  /** Ends when the answer must leave. */
  signal: AbortSignal;
  /** For a call that changes something: five seconds at most. */
  writeSignal(): AbortSignal;
  /** Says, before a write is sent, how to find out later whether it happened. */
  intend(intent: Intent): void;
};

export type Ran<Output> = {
  output: Output;
  /** Why nothing came of it, when `output` says more than the code's sentence. */
  code?: ErrorCode;
  /** Audited as the patient concerned. */
  patientId?: string;
  detail?: {
    action?: string;
    booked?: true;
    confirmed?: true;
    reason?: RoutingReason;
    outcome?: RoutingOutcome;
    leadId?: string;
    taskId?: string;
  } & Partial<MessageDetail & { appointmentId: string; start: string; end: string; cancelledId: string; cancelledStart: string }>;
  /** What the sentence promises that the clinic will do: a task in the commit with the audit. `id`: where a repetition must find the same one. */
  promise?: { kind: TaskKind; about?: Omit<TaskAbout, "tool" | "patientId" | "fhirProviderId">; id?: string };
  /** A row of the tool's own, made once: it goes into the commit with the audit and stands for the request in place of our usual row. */
  keeps?: Write;
  /** The tool remembers by itself that it was done, and will answer a repetition alike: nothing is kept for the request. */
  answersAgain?: true;
  /** The same request was answered before: this is that answer, and its audit row is written. */
  repeated?: true;
  /** Bookkeeping that may only follow the audit row. */
  afterAudit?(): Promise<void>;
};

const repeatMs = 60_000;

/** Whether the same words are a repetition, as of a platform that has got no answer: whoever says them later means it anew. */
export const isRepetition = ({ ctx }: Run, askedAtMs: number): boolean => ctx.clock().getTime() - askedAtMs < repeatMs;
