import type { TaskAbout } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import type { Write } from "@vitaline/store";
import { createTask, type NewTask } from "@vitaline/tasks";
import type { RunResult } from "../../sdk/run.ts";
import type { RunContext } from "./run-context.ts";

type About = NonNullable<NonNullable<RunResult<unknown>["task"]>["about"]>;

export function taskWrite(
  { ctx, call, tool, state }: Pick<RunContext, "ctx" | "call" | "tool" | "state">,
  id: string,
  {
    kind,
    providerId,
    patientId = state?.patientId,
    about,
  }: Pick<NewTask, "kind"> & { providerId?: string | undefined; patientId?: string | undefined; about?: About | undefined },
): Promise<Write> {
  const whom: TaskAbout = {
    tool: tool.name,
    ...(patientId ? { patientId } : {}),
    ...(providerId ? { fhirProviderId: providerId } : {}),
    ...about,
  };
  return createTask(ctx, id, { kind, about: whom, callKey: call.callKey, officeId: call.officeId });
}

export async function taskWrites(
  work: RunContext,
  providerId: string | undefined,
  { task, patientId }: Pick<RunResult<unknown>, "task" | "patientId">,
): Promise<{ writes: Write[]; detail: { taskId?: string } }> {
  if (!task) return { writes: [], detail: {} };
  const { kind, about, id: taskId = newId(work.ctx.clock().getTime()) } = task;
  return { writes: [await taskWrite(work, taskId, { kind, providerId, patientId, about })], detail: { taskId } };
}
