import type { TaskAbout } from "@vitaline/contract";
import { newId } from "@vitaline/core";
import type { Write } from "@vitaline/store";
import { createTask, type NewTask } from "@vitaline/tasks";
import type { Ran } from "../../sdk/run.ts";
import type { Work } from "./run-context.ts";

type About = NonNullable<NonNullable<Ran<unknown>["promise"]>["about"]>;

/** The write that makes a task of a run, under an id of newId's. */
export function taskOf(
  { ctx, call, tool, state }: Pick<Work, "ctx" | "call" | "tool" | "state">,
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

/** What a run's promise adds to the commit with its audit row: the task, and its id. */
export async function promised(
  work: Work,
  providerId: string | undefined,
  { promise, patientId }: Pick<Ran<unknown>, "promise" | "patientId">,
): Promise<{ writes: Write[]; detail: { taskId?: string } }> {
  if (!promise) return { writes: [], detail: {} };
  const { kind, about, id: taskId = newId(work.ctx.clock().getTime()) } = promise;
  return { writes: [await taskOf(work, taskId, { kind, providerId, patientId, about })], detail: { taskId } };
}
