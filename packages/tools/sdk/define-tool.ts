import { toolCatalog, type ToolName } from "@vitaline/contract/tool-catalog.ts";
import * as z from "zod/mini";
import type { Bilingual, Phrasing } from "./phrasing.ts";
import type { PlannedWrite, RunResult, Run } from "./run.ts";

/** 0: any caller. 1: name, birth date and one more factor verified. 2: a second distinct factor. */
export type Level = 0 | 1 | 2;
export type Effect = "read" | "write";

/**
 * How a write happens once. "requestRow": by a row for the request, written before anything is sent. "ownLock": by the tool's own lock,
 * after which it looks for the result of an earlier attempt.
 */
type Deduplication = "requestRow" | "ownLock";

/** What a request of level 1 or 2 is about, for a caller who speaks for the patient; see packages/tools/patient/call-patient.ts. */
export type Matter = "identity" | "appointments" | "messages" | "insurance" | "basics" | "contact" | "clinical";

type PerInput<Input, Value> = Value | ((input: Input) => Value);

type Descriptor<I extends z.ZodMiniType, O extends z.ZodMiniType> = {
  /** Its title stands in the contract's catalog. */
  name: ToolName;
  /** For the model: the purpose and when to use it. */
  description: string;
  input: I;
  output: O;
  effect: PerInput<z.output<I>, Effect>;
  deduplication?: PerInput<z.output<I>, Deduplication>;
  level: PerInput<z.output<I>, Level>;
  /** The highest level of any arguments; required if `level` is a function. */
  maxLevel?: Level;
  /** Whether the audit counts it as access to the patient's record. */
  patientRecord: PerInput<z.output<I>, boolean>;
  /** "clinical" if absent. */
  matter?: PerInput<z.output<I>, Matter>;
  /** SMART system scopes; the token is narrowed to them. Empty for a tool without an EHR. */
  scopes: readonly string[];
  /** Scopes that an existing connection may lack: the tool asks for them with `openIfAllowed`. */
  optionalScopes?: readonly string[];
  /** EHR requests of a warm call as logged ("search Coverage"), in any order. */
  requests: PerInput<z.output<I>, readonly string[]>;
  annotations: Hints;
  run(run: Run, input: z.output<I>): Promise<RunResult<z.output<O>>>;
  /** Finds the result of an earlier run with unknown outcome; undefined if it had no effect. */
  recover?(run: Run, plannedWrite: PlannedWrite): Promise<RunResult<z.output<O>> | undefined>;
  /** Whether an answer given at `askedAtMs` still describes the EHR, so that the same words are a retry; always true if absent. */
  isStillValid?(run: Run, input: z.output<I>, output: z.output<O>, askedAtMs: number): Promise<boolean>;
  /** It tells the clinic, so it also runs when its arguments tell of an emergency. No other tool does. */
  runsInEmergency?: true;
  /** Its writes about the call keep the language that the agent names, so that it costs none of its own; see `markLanguageStored`. */
  savesLanguageWithState?: true;
  speak(output: z.output<O>, phrasing: Phrasing): string;
  /** For every argument, what the caller is asked when it is missing or cannot be read. */
  questions: Questions<I>;
  /** One for every kind of answer, for the catalogue of sentences. */
  examples: readonly Example<z.output<O>>[];
};

type Questions<I extends z.ZodMiniType> = Readonly<Record<string, Bilingual>> & Readonly<Record<ArgumentOf<z.input<I>>, Bilingual>>;
type ArgumentOf<Input> = Input extends object ? keyof Input & string : never;

/** `inOwnWords`: said as the clinic wrote it, in its language. */
export type Example<Output> = { situation: string; output: Output; inOwnWords?: true };

/** Source: Model Context Protocol, ToolAnnotations. */
type Hints = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

export type Annotations = Hints & { title: string };

/** A request with valid arguments, and what the descriptor says for them. */
export type CheckedRequest = {
  effect: Effect;
  deduplication: Deduplication;
  level: Level;
  patientRecord: boolean;
  matter: Matter;
  requests: readonly string[];
  run(run: Run): Promise<RunResult<unknown>>;
  isStillValid(run: Run, output: unknown, askedAtMs: number): Promise<boolean>;
};

type InvalidFields = Record<string, string>;
export type ParsedArguments =
  | { request: CheckedRequest; invalidFields?: undefined }
  | { request?: undefined; invalidFields: InvalidFields };

export type Tool = Pick<Descriptor<z.ZodMiniType, z.ZodMiniType>, "name" | "description" | "scopes"> & {
  annotations: Annotations;
  optionalScopes: readonly string[];
  input: z.ZodMiniType;
  /** "write" if some arguments make it one. */
  effect: Effect;
  /** The highest level. */
  level: Level;
  runsInEmergency: boolean;
  savesLanguageWithState: boolean;
  parse(args: unknown): ParsedArguments;
  recover(run: Run, plannedWrite: PlannedWrite): Promise<RunResult<unknown> | undefined>;
  output: z.ZodMiniType;
  speak(output: unknown, phrasing: Phrasing): string;
  questions: Readonly<Record<string, Bilingual>>;
  examples: readonly Example<unknown>[];
};

const resolveFor = <Input, Value extends string | number | boolean | readonly string[]>(per: PerInput<Input, Value>, input: Input): Value =>
  typeof per === "function" ? per(input) : per;

/** Hides a descriptor's types, so that all tools fit one list. */
export function defineTool<I extends z.ZodMiniType, O extends z.ZodMiniType>(descriptor: Descriptor<I, O>): Tool {
  const {
    name,
    description,
    scopes,
    optionalScopes = [],
    annotations,
    input,
    output,
    runsInEmergency = false,
    savesLanguageWithState = false,
  } = descriptor;
  return {
    name,
    description,
    scopes,
    optionalScopes,
    annotations: { title: toolCatalog[name].title, ...annotations },
    input,
    effect: typeof descriptor.effect === "function" ? "write" : descriptor.effect,
    runsInEmergency,
    savesLanguageWithState,
    level: typeof descriptor.level === "function" ? (descriptor.maxLevel ?? 2) : descriptor.level,
    parse(args) {
      const result = z.safeParse(input, args);
      if (!result.success)
        return {
          invalidFields: Object.fromEntries(result.error.issues.map((issue) => [String(issue.path[0] ?? "arguments"), issue.message])),
        };
      const given = result.data;
      const request: CheckedRequest = {
        effect: resolveFor(descriptor.effect, given),
        deduplication: resolveFor(descriptor.deduplication ?? "requestRow", given),
        level: resolveFor(descriptor.level, given),
        patientRecord: resolveFor(descriptor.patientRecord, given),
        matter: resolveFor<z.output<I>, Matter>(descriptor.matter ?? "clinical", given),
        requests: resolveFor(descriptor.requests, given),
        run: (run) => descriptor.run(run, given),
        isStillValid: async (run, stored, askedAtMs) =>
          (await descriptor.isStillValid?.(run, given, z.parse(output, stored), askedAtMs)) ?? true,
      };
      return { request };
    },
    recover: async (run, plannedWrite) => descriptor.recover?.(run, plannedWrite),
    output,
    speak: (stored, phrasing) => descriptor.speak(z.parse(output, stored), phrasing),
    questions: descriptor.questions,
    examples: descriptor.examples,
  };
}
