import type { ErrorCode } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { CallStateRow, TenantContext, TenantRow } from "@vitaline/store";
import type { Patient } from "fhir/r4.js";
import * as z from "zod/mini";

/** What a tool needs of its request: the tenant's rows, and the way to the tenant's EHR. */
export type ToolContext = TenantContext & { openEhr(tenant: TenantRow, officeId?: string): Promise<Ehr> };

/** One tool call, as every platform's adapter hands it over. */
export type ToolCall = {
  platform: string;
  /** The platform's own id of the call. */
  callId: string;
  /** keys.callKeyOf(platform, callId). */
  callKey: string;
  officeId?: string;
  /** The number the caller phones from, if the platform says; it is only counted with, never believed. */
  callerNumber?: string;
  toolCallId?: string;
  name: string;
  /** Object, JSON text or nothing: models send all three. */
  args: unknown;
};

/** `speech` is one line that a voice can say, also after a failure; `output` is for models that read structure. */
export type ToolAnswer = { ok: boolean; code?: ErrorCode; speech: string; output?: unknown };

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
  state: CallStateRow | undefined;
  ehr: Ehr;
  /** The verified patient's chart, read once a run; AppError `ehr_forbidden` when it was closed meanwhile. */
  chart(): Promise<Patient>;
  /** Stands for this request, also when it is sent again. */
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
  detail?: { action?: string; booked?: true };
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
  /** Whether a run opens a patient's record. */
  patientRecord: Per<z.output<I>, boolean>;
  /** SMART system scopes that it needs. */
  scopes: readonly string[];
  annotations: Annotations;
  run(run: Run, input: z.output<I>): Promise<Ran<z.output<O>>>;
  /** Looks for what an earlier run of unknown outcome has done; undefined when it has done nothing. */
  recover?(run: Run, intent: Intent): Promise<Ran<z.output<O>> | undefined>;
  /** Whether an answer of a write still describes the record system, and asking for the same again cannot mean more. */
  stands?(run: Run, input: z.output<I>, output: z.output<O>): Promise<boolean>;
  speak(output: z.output<O>, tenant: TenantRow): string;
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
  run(run: Run): Promise<Ran<unknown>>;
  stands(run: Run, output: unknown): Promise<boolean>;
};

export type Tool = Pick<Descriptor<z.ZodMiniType, z.ZodMiniType>, "name" | "description" | "scopes" | "annotations"> & {
  input: z.ZodMiniType;
  output: z.ZodMiniType;
  /** The arguments checked, or which fields are wrong. */
  fill(args: unknown): Invocation | { fields: Record<string, string> };
  recover(run: Run, intent: Intent): Promise<Ran<unknown> | undefined>;
  /** One line for an output of this tool, also for one that was stored. */
  speak(output: unknown, tenant: TenantRow): string;
};

const valueFor = <Input, Value extends string | number | boolean>(per: Per<Input, Value>, input: Input): Value =>
  typeof per === "function" ? per(input) : per;

/** Closes a descriptor over its own types, so that tools of all shapes stand in one list. */
export function defineTool<I extends z.ZodMiniType, O extends z.ZodMiniType>(descriptor: Descriptor<I, O>): Tool {
  const { name, description, scopes, annotations, input, output } = descriptor;
  return {
    name,
    description,
    scopes,
    annotations,
    input,
    output,
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
        run: (run) => descriptor.run(run, filled),
        stands: async (run, stored) => (await descriptor.stands?.(run, filled, z.parse(output, stored))) ?? true,
      };
    },
    recover: async (run, intent) => descriptor.recover?.(run, intent),
    speak: (stored, tenant) => descriptor.speak(z.parse(output, stored), tenant),
  };
}
