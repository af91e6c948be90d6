import { unseal } from "@vitaline/aws";
import { TaskAbout, type Task, type TaskDetail } from "@vitaline/contract";
import { notFound } from "@vitaline/core";
import { keys, nextVersion, onFreshRead, update, type Page, type TaskRow, type TenantContext } from "@vitaline/store";
import * as z from "zod/mini";

const usualPage = 50;

const asTask = ({ id, at, kind, callKey, officeId, dueAt, finding, closedAt, version }: TaskRow): Task => ({
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

type Asked = { limit?: number | undefined; cursor?: string | undefined; closed?: boolean | undefined };

/** A page of the tenant's tasks, newest first, nothing unsealed. One Query; a page of those closed, or of those open, may be short. */
export async function listTasks(ctx: TenantContext, { limit = usualPage, cursor, closed }: Asked): Promise<Page<Task>> {
  const { rows, next } = await ctx.store.query<TaskRow>(keys.tenantPartitions.tasks(ctx.tenantId), {
    descending: true,
    limit,
    cursor,
    where: closed === undefined ? undefined : (row) => (row.closedAt !== undefined) === closed,
  });
  return { rows: rows.map(asTask), next };
}

/** One task with the patient it is about; the audit row is written before the answer leaves. AppError `not_found`. */
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
  });
  return { ...asTask(row), about };
}

/** Closes a task, or opens it again. `ifMatch` is the version that the caller has seen. AppError `not_found`, `stale_version`. */
export const closeTask = (ctx: TenantContext, taskId: string, closed: boolean, ifMatch?: number): Promise<Task> =>
  onFreshRead(ifMatch, async () => {
    const row = await ctx.store.get<TaskRow>(keys.task(taskId));
    if (!row) throw notFound();
    const { version, asRead } = nextVersion(row, ifMatch);
    const closedAt = closed ? (row.closedAt ?? ctx.clock().toISOString()) : undefined;
    const change = closedAt ? { set: { closedAt, version } } : { set: { version }, remove: ["closedAt" as const] };
    await ctx.store.commit([update<TaskRow>(keys.task(taskId), change, asRead)], {
      category: "patient_access",
      action: closed ? "task.close" : "task.reopen",
      resourceType: "Task",
      resourceId: taskId,
      detail: { version },
    });
    return asTask({ ...row, closedAt, version });
  });
