import { type ErrorCode, newId } from "@vitaline/core";
import type { ActsFor, Audit, Write } from "@vitaline/store";
import type { TaskAbout } from "@vitaline/contract";
import { createTask, type NewTask } from "@vitaline/tasks";
import type { CheckedRequest } from "../../sdk/define-tool.ts";
import type { RunResult, ToolCall } from "../../sdk/run.ts";
import type { PreparedRun } from "./run-context.ts";

export type Outcome = { code?: ErrorCode; providerId?: string | undefined } & Pick<RunResult<unknown>, "patientId" | "actsFor" | "detail">;

/** Runs from the console are those of a test call, and not listed as calls. */
export const testPlatform = "test";

const actsForDetail = ({ relationship, basis, proxyId }: ActsFor) => ({
  actsFor: relationship,
  actsForBy: basis,
  ...(proxyId === undefined ? {} : { proxyId }),
});

/** Requests about no patient do not concern who speaks. */
export const actsForOf = ({ request, state }: Pick<PreparedRun, "request" | "state">): ActsFor | undefined =>
  request.level > 0 ? state?.actsFor : undefined;

export function auditEntry(
  call: ToolCall,
  startedAtMs: number,
  nowMs: number,
  request: Pick<CheckedRequest, "patientRecord"> | undefined,
  { code, providerId, patientId, actsFor, detail }: Outcome,
): Audit {
  return {
    category: request?.patientRecord ? "patient_access" : "api_call",
    action: `tool.${call.name}`,
    resourceType: patientId ? "Patient" : "Tool",
    resourceId: patientId ?? call.name,
    success: code === undefined,
    code,
    callKey: call.callKey,
    detail: {
      tool: call.name,
      ms: Math.max(0, nowMs - startedAtMs),
      platform: call.platform,
      ...(call.platform === testPlatform ? { test: true } : {}),
      ...(call.isTest ? { testCall: true } : {}),
      ...(call.officeId ? { officeId: call.officeId } : {}),
      ...(providerId ? { fhirProviderId: providerId } : {}),
      ...(actsFor ? actsForDetail(actsFor) : {}),
      ...detail,
    },
  };
}

type About = NonNullable<NonNullable<RunResult<unknown>["task"]>["about"]>;

export function taskWrite(
  { ctx, call, tool, state }: Pick<PreparedRun, "ctx" | "call" | "tool" | "state">,
  id: string,
  {
    kind,
    providerId,
    patientId = state?.patientId,
    about,
    finding,
  }: Pick<NewTask, "kind" | "finding"> & { providerId?: string | undefined; patientId?: string | undefined; about?: About | undefined },
): Promise<Write> {
  const taskAbout: TaskAbout = {
    tool: tool.name,
    ...(patientId ? { patientId } : {}),
    ...(providerId ? { fhirProviderId: providerId } : {}),
    ...(state?.interpreter && patientId === state.patientId ? { interpreter: state.interpreter } : {}),
    ...about,
  };
  return createTask(ctx, id, { kind, about: taskAbout, finding, callKey: call.callKey, officeId: call.officeId });
}

export async function taskWrites(
  context: Pick<PreparedRun, "ctx" | "call" | "tool" | "state">,
  providerId: string | undefined,
  { task, patientId }: Pick<RunResult<unknown>, "task" | "patientId">,
): Promise<{ writes: Write[]; detail: { taskId?: string } }> {
  // A test call leaves staff nothing to do.
  if (!task || context.call.isTest) return { writes: [], detail: {} };
  const { kind, about, id: taskId = newId(context.ctx.clock().getTime()) } = task;
  return { writes: [await taskWrite(context, taskId, { kind, providerId, patientId, about })], detail: { taskId } };
}
