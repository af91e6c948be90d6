import * as z from "zod/mini";
import type { Intent, Ran, Run } from "./run.ts";

/** 0 anybody; 1 name, birth date and one more factor matched; 2 a second distinct factor. */
export type Level = 0 | 1 | 2;
export type Effect = "read" | "write";

/**
 * What a write takes first, so that it happens once. "request": a row for this very request, before anything is sent.
 * "own": something narrower that the tool itself locks, after which it looks for what an earlier try has left.
 */
type Claim = "request" | "own";

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
