import { unseal } from "@vitaline/aws";
import { TaskAbout, type Task, type TaskDetail } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import {
  keys,
  nextVersion,
  retryOnStale,
  update,
  type Audit,
  type Page,
  type TaskRow,
  type TenantContext,
  type Write,
} from "@vitaline/store";
import * as z from "zod/mini";

const pageSize = 50;

const toTask = ({ id, at, kind, callKey, officeId, dueAt, finding, closedAt, version }: TaskRow): Task => ({
  id,
  createdAt: at,
  kind,
  callId: callKey ?? null,
  officeId: officeId ?? null,
  dueAt,
  finding: finding ?? null,
  closedAt: closedAt ?? null,
  version,
});

const patientsIn = ({ patientId, fhirProviderId }: TaskAbout): Pick<Audit, "patients"> =>
  patientId === undefined ? {} : { patients: [{ id: patientId, ...(fhirProviderId === undefined ? {} : { fhirProviderId }) }] };

type TaskQuery = { limit?: number | undefined; cursor?: string | undefined; closed?: boolean | undefined };

/** A page of the tenant's tasks, newest first, without sealed content. One Query; a page filtered by `closed` may be short. */
export async function listTasks(ctx: TenantContext, { limit = pageSize, cursor, closed }: TaskQuery): Promise<Page<Task>> {
  const { rows, next } = await ctx.store.query<TaskRow>(keys.tenantPartitions.tasks(ctx.tenantId), {
    descending: true,
    limit,
    cursor,
    where: closed === undefined ? undefined : (row) => (row.closedAt !== undefined) === closed,
  });
  return { rows: rows.map(toTask), next };
}

/** One task with its patient. The audit row is written before the answer is sent. AppError `not_found`. */
export async function readTask(ctx: TenantContext, taskId: string): Promise<TaskDetail> {
  const row = await ctx.store.get<TaskRow>(keys.task(taskId));
  if (!row) throw notFound();
  const about = z.parse(TaskAbout, JSON.parse(await unseal("phi", ctx.tenantId, row.sealed)));
  await ctx.store.commit([], {
    category: "patient_access",
    action: "task.read",
    resourceType: "Task",
    resourceId: taskId,
    callKey: row.callKey,
    ...patientsIn(about),
  });
  return { ...toTask(row), about };
}

/** Closes or reopens a task. `ifMatch` is the expected version. AppError `not_found`, `stale_version`. */
export const closeTask = (ctx: TenantContext, taskId: string, closed: boolean, ifMatch?: number): Promise<Task> =>
  retryOnStale(ifMatch, async () => {
    const row = await ctx.store.get<TaskRow>(keys.task(taskId));
    if (!row) throw notFound();
    const { write, audit, after } = closing(ctx, row, closed, ifMatch);
    await ctx.store.commit([write], audit);
    return toTask(after);
  });

/** The write that closes or reopens a task as it was read, with its audit. AppError `stale_version`. */
export function closing(
  ctx: TenantContext,
  row: TaskRow,
  closed: boolean,
  ifMatch?: number,
): { write: Write; audit: Audit; after: TaskRow } {
  const { version, asRead } = nextVersion(row, ifMatch);
  const closedAt = closed ? (row.closedAt ?? ctx.clock().toISOString()) : undefined;
  const change = closedAt ? { set: { closedAt, version } } : { set: { version }, remove: ["closedAt" as const] };
  return {
    write: update<TaskRow>(keys.task(row.id), change, asRead),
    audit: {
      category: "patient_access",
      action: closed ? "task.close" : "task.reopen",
      resourceType: "Task",
      resourceId: row.id,
      callKey: row.callKey,
      detail: { version },
    },
    after: { ...row, closedAt, version },
  };
}
