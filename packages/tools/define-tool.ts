import type { RoutingOutcome, RoutingReason, TaskAbout, TaskKind } from "@vitaline/contract";
import type { ErrorCode } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { MessageDetail } from "@vitaline/messages";
import type { CallStateRow, TenantContext, TenantRow, Write } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import type { Patience } from "./deadline.ts";
import * as z from "zod/mini";

/** What a tool needs of its request: the tenant's rows, and the way to the tenant's EHR. */
export type ToolContext = TenantContext & {
  /** Reads ahead what opening the record system of a place will need; `hint` is an office, an agent, or "". */
  foreseeEhr(asked: { hint: string; scopes: readonly string[] }): Promise<void>;
  /** `scopes` are what the work needs: AppError `ehr_not_allowed` where the connection's own do not hold them. */
  openEhr(tenant: TenantRow, options: { officeId?: string | undefined; scopes: readonly string[] }): Promise<Ehr>;
  /** How long a run may take; as long as a caller waits when absent. */
  patience?: Patience;
};

/** One tool call, as every platform's adapter hands it over. */
export type ToolCall = {
  platform: string;
  /** The platform's own id of the call. */
  callId: string;
  /** keys.callKeyOf(platform, callId). */
  callKey: string;
  /** The platform's own id of the agent that answers; the office of its assignment is the call's, if no other is known. */
  agentId?: string;
  officeId?: string;
  /** The number the caller phones from, if the platform says, or digits that stand for it; it is only counted with, never believed. */
  callerNumber?: string;
  /** The tenant's own number that the call goes over, if the platform says; the office with it is the call's, if no other is known. */
  calledNumber?: string;
  toolCallId?: string;
  name: string;
  /** Object, JSON text or nothing: models send all three. */
  args: unknown;
};

/**
 * `speech` is one line that a voice can say, also after a failure; `output` is for models that read structure, and so is `fields`: which
 * arguments are missing or wrong, and in which form they are wanted.
 */
export type ToolAnswer = { ok: boolean; code?: ErrorCode; speech: string; output?: unknown; fields?: Record<string, string> };

/** 0 anybody; 1 name, birth date and one more factor matched; 2 a second distinct factor. */
export type Level = 0 | 1 | 2;
export type Effect = "read" | "write";

/**
 * What a write takes first, so that it happens once. "request": a row for this very request, before anything is sent.
 * "own": something narrower that the tool itself locks, after which it looks for what an earlier try has left.
 */
type Claim = "request" | "own";

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

/** Only where the level asks for it is there a patient, and it is the one that was verified. */
export const patientOf = ({ state }: Run): string => {
  if (!state?.patientId) throw new Error("This tool runs without a verified patient");
  return state.patientId;
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

type Per<Input, Value> = Value | ((input: Input) => Value);

type Descriptor<I extends z.ZodMiniType, O extends z.ZodMiniType> = {
  /** The name on the wire. */
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  input: I;
  output: O;
  effect: Per<z.output<I>, Effect>;
  claim?: Per<z.output<I>, Claim>;
  level: Per<z.output<I>, Level>;
  /** The highest that any arguments ask for; said where `level` depends on them. */
  levelAtMost?: Level;
  /** Whether a run opens a patient's record. */
  patientRecord: Per<z.output<I>, boolean>;
  /** SMART system scopes that it needs; its token is narrowed to them. Empty for a tool that asks no record system. */
  scopes: readonly string[];
  /** What it also makes use of where the connection allows it, and does without where not: openAlso asks for it apart. */
  optionalScopes?: readonly string[];
  /** The requests to the EHR that a warm call makes, as the log names them ("search Coverage"); the order does not matter. */
  requests: Per<z.output<I>, readonly string[]>;
  annotations: Annotations;
  run(run: Run, input: z.output<I>): Promise<Ran<z.output<O>>>;
  /** Looks for what an earlier run of unknown outcome has done; undefined when it has done nothing. */
  recover?(run: Run, intent: Intent): Promise<Ran<z.output<O>> | undefined>;
  /**
   * Whether an answer of a write, asked for at `askedAtMs`, still describes the record system, and the same words cannot mean more;
   * absent where they never do.
   */
  stands?(run: Run, input: z.output<I>, output: z.output<O>, askedAtMs: number): Promise<boolean>;
  /** What must be said first, whatever comes of the run and also when nothing does. */
  alert?(input: z.output<I>): string | undefined;
  /** One line for a voice, with times as a clock in `timeZone` shows them. */
  speak(output: z.output<O>, timeZone: string): string;
};

/** Source: Model Context Protocol, ToolAnnotations; clients act on them. */
export type Annotations = {
  title: string;
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** A tool with its arguments filled in. */
export type Invocation = {
  effect: Effect;
  claim: Claim;
  level: Level;
  patientRecord: boolean;
  requests: readonly string[];
  alert: string | undefined;
  run(run: Run): Promise<Ran<unknown>>;
  stands(run: Run, output: unknown, askedAtMs: number): Promise<boolean>;
};

export type Tool = Pick<Descriptor<z.ZodMiniType, z.ZodMiniType>, "name" | "description" | "scopes" | "annotations"> & {
  optionalScopes: readonly string[];
  input: z.ZodMiniType;
  output: z.ZodMiniType;
  /** "write" where some arguments make it one. */
  effect: Effect;
  /** What all of it asks for. */
  level: Level;
  /** The arguments checked, or which fields are wrong. */
  fill(args: unknown): Invocation | { fields: Record<string, string> };
  recover(run: Run, intent: Intent): Promise<Ran<unknown> | undefined>;
  /** One line for an output of this tool, also for one that was stored. */
  speak(output: unknown, timeZone: string): string;
};

const valueFor = <Input, Value extends string | number | boolean | readonly string[]>(per: Per<Input, Value>, input: Input): Value =>
  typeof per === "function" ? per(input) : per;

/** Closes a descriptor over its own types, so that tools of all shapes stand in one list. */
export function defineTool<I extends z.ZodMiniType, O extends z.ZodMiniType>(descriptor: Descriptor<I, O>): Tool {
  const { name, description, scopes, optionalScopes = [], annotations, input, output } = descriptor;
  return {
    name,
    description,
    scopes,
    optionalScopes,
    annotations,
    input,
    output,
    effect: typeof descriptor.effect === "function" ? "write" : descriptor.effect,
    level: typeof descriptor.level === "function" ? (descriptor.levelAtMost ?? 2) : descriptor.level,
    fill(args) {
      const parsed = z.safeParse(input, args);
      if (!parsed.success)
        return { fields: Object.fromEntries(parsed.error.issues.map((issue) => [String(issue.path[0] ?? "arguments"), issue.message])) };
      const filled = parsed.data;
      return {
        effect: valueFor(descriptor.effect, filled),
        claim: valueFor(descriptor.claim ?? "request", filled),
        level: valueFor(descriptor.level, filled),
        patientRecord: valueFor(descriptor.patientRecord, filled),
        requests: valueFor(descriptor.requests, filled),
        alert: descriptor.alert?.(filled),
        run: (run) => descriptor.run(run, filled),
        stands: async (run, stored, askedAtMs) => (await descriptor.stands?.(run, filled, z.parse(output, stored), askedAtMs)) ?? true,
      };
    },
    recover: async (run, intent) => descriptor.recover?.(run, intent),
    speak: (stored, timeZone) => descriptor.speak(z.parse(output, stored), timeZone),
  };
}
