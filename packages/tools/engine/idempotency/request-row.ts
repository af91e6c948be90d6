import * as z from "zod/mini";
import { seal, unseal } from "@vitaline/aws";
import type { TaskAbout } from "@vitaline/contract";
import { type ErrorCode, sha256In } from "@vitaline/core";
import { abandonedAfterMs, type Condition, type IdempotencyRow } from "@vitaline/store";
import type { CallPatient } from "../../patient/call-patient.ts";
import type { PlannedWrite, ToolCall } from "../../sdk/run.ts";
import type { CheckedRequest } from "../../sdk/define-tool.ts";

const sortKeys = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sortKeys)
    : value !== null && typeof value === "object"
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, one]) => [name, sortKeys(one)]),
        )
      : value;

const canonicalJson = (args: unknown): string => JSON.stringify(sortKeys(args)) ?? "";

/**
 * What marks the resources of an execution at the EHR: the request key, or another one if the caller says the same words again after the
 * first request was fulfilled.
 */
export const executionKeyOf = (requestKey: string, repeatOfRequestId: string | undefined): string =>
  repeatOfRequestId === undefined ? requestKey : sha256In("tool-request-repeat", requestKey, repeatOfRequestId).slice(0, 40);

/**
 * Identifies a retried request: its call, tool, tool call id, arguments, verified patient and who speaks for them. Without the patient, the
 * second patient on a line would get the first one's answer; without the speaker, one who may know less would get another's.
 */
export const requestKeyOf = (
  { callKey, name, toolCallId = "" }: ToolCall,
  args: unknown,
  { patientId, providerId = "", actsFor }: CallPatient = {},
): string => {
  const caller = patientId === undefined ? [] : [providerId, patientId, ...(actsFor ? [actsFor.speakerHash] : [])];
  return sha256In("tool-request", callKey, name, toolCallId, canonicalJson(args), ...caller).slice(0, 40);
};

/**
 * State of a request's row: `started` while a run works on it, `unknown` when a write was sent and its outcome is not known, `done` when
 * it was answered. Pure functions; run-write.ts does the writes.
 */
type RequestState = "absent" | IdempotencyRow["status"];
const stateOf = (row: IdempotencyRow | undefined): RequestState => row?.status ?? "absent";

/** An answered request sent again is a "retry", a "new_request" if its result no longer stands, or a "new_attempt" after a refusal. */
export type RepeatKind = "retry" | "new_request" | "new_attempt";

export function decideRequest(
  row: IdempotencyRow | undefined,
  repeatKind: RepeatKind | undefined,
  nowMs: number,
): "run" | "wait" | "replay" {
  switch (stateOf(row)) {
    case "started":
      return nowMs - (row?.startedAtMs ?? 0) < abandonedAfterMs ? "wait" : "run";
    case "done":
      return repeatKind === "retry" ? "replay" : "run";
    case "absent":
    case "unknown":
      return "run";
  }
}

export type RequestEvent = "started" | "answered" | "outcome unknown" | "failed" | "looked up";

/** `row` as it was read before; `requestId` of the current HTTP request. */
export type RequestSnapshot = { row: IdempotencyRow | undefined; deduplication: CheckedRequest["deduplication"]; requestId: string };

/** Written in the same commit as the row: the recovery by `events/retry`, and the staff task. */
type TransitionWrite = "schedule recovery" | "open task" | "close task";
type Transition = { nextState: RequestState; condition: Condition; alsoWrites: readonly TransitionWrite[] };

/** undefined if the event leaves the row unchanged. */
export function transitionOf(request: RequestSnapshot, event: "answered" | "outcome unknown"): Transition;
export function transitionOf(request: RequestSnapshot, event: RequestEvent): Transition | undefined;
export function transitionOf({ row, deduplication, requestId }: RequestSnapshot, event: RequestEvent): Transition | undefined {
  const state = stateOf(row);
  const hasTask = unconfirmedTaskOf(row) !== undefined;
  switch (event) {
    case "started":
      return deduplication === "requestRow" ? { nextState: "started", condition: asRead(row), alsoWrites: [] } : undefined;
    case "answered":
      return { nextState: "done", condition: unlessAnswered(row, deduplication), alsoWrites: hasTask ? ["close task"] : [] };
    case "outcome unknown":
      return {
        nextState: "unknown",
        condition: unlessAnswered(row, deduplication),
        alsoWrites: hasTask ? ["schedule recovery"] : ["schedule recovery", "open task"],
      };
    case "failed":
      // An earlier unknown outcome stays recorded.
      return deduplication === "requestRow"
        ? { nextState: state === "started" ? "absent" : state, condition: { equals: { requestId } }, alsoWrites: [] }
        : undefined;
    case "looked up":
      return row && state === "unknown" ? { nextState: "done", condition: isUnchanged(row), alsoWrites: [] } : undefined;
  }
}

export const unconfirmedTaskOf = (row: IdempotencyRow | undefined): string | undefined =>
  row?.status === "done" ? undefined : row?.taskId;

/** The first answer stays, except that a success replaces a refusal. */
export const firstAnswerStays = (first: { code?: string }, second: { code?: string }): boolean =>
  second.code !== undefined || first.code === undefined;

export const isUnchanged = ({ status, requestId }: IdempotencyRow): Condition => ({ equals: { status, requestId } });

const asRead = (row: IdempotencyRow | undefined): Condition =>
  row ? { equals: { status: row.status, startedAtMs: row.startedAtMs } } : { exists: false };

/**
 * A run of a tool that is deduplicated by this row has overwritten the earlier answer with `started`. One with a lock of its own has not,
 * so it may replace only the answer that it read.
 */
const unlessAnswered = (row: IdempotencyRow | undefined, deduplication: RequestSnapshot["deduplication"]): Condition =>
  deduplication === "ownLock" && row?.status === "done" ? { equals: { requestId: row.requestId } } : { notEquals: { status: "done" } };

/** The stored answer of a write, without its sentence: that is spoken again from the output. */
export type SealedResult = { code?: ErrorCode; output?: unknown };

const StoredAnswer = z.object({ code: z.optional(z.string()), output: z.optional(z.unknown()) });

export const sealResult = (tenantId: string, { code, output }: SealedResult): Promise<string> =>
  seal("phi", tenantId, JSON.stringify({ code, output }));

export const unsealResult = async (tenantId: string, { sealedAnswer = "" }: Pick<IdempotencyRow, "sealedAnswer">): Promise<SealedResult> =>
  z.parse(StoredAnswer, JSON.parse(await unseal("phi", tenantId, sealedAnswer))) as SealedResult;

const StoredWrite = z.record(z.string(), z.string());

export const sealPlannedWrite = (tenantId: string, plannedWrite: PlannedWrite): Promise<string> =>
  seal("phi", tenantId, JSON.stringify(plannedWrite));

export const taskAboutWrite = ({ action, appointmentId, start }: PlannedWrite): Pick<TaskAbout, "action" | "appointmentId" | "start"> => ({
  ...(action ? { action } : {}),
  ...(appointmentId ? { appointmentId } : {}),
  ...(start ? { start } : {}),
});

export async function readPlannedWrite(
  tenantId: string,
  { plannedWrite, sealedWrite }: Pick<IdempotencyRow, "plannedWrite" | "sealedWrite">,
): Promise<PlannedWrite | undefined> {
  if (plannedWrite || !sealedWrite) return plannedWrite;
  return z.parse(StoredWrite, JSON.parse(await unseal("phi", tenantId, sealedWrite)));
}
