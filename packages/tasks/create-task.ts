import { seal } from "@vitaline/aws";
import type { TaskAbout, TaskFinding, TaskKind } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { create, expiresAfter, keys, tenantRetention, update, type TaskRow, type TenantContext, type Write } from "@vitaline/store";

export type NewTask = {
  kind: TaskKind;
  about: TaskAbout;
  finding?: TaskFinding;
  callKey?: string | undefined;
  officeId?: string | undefined;
};

const hourMs = 3_600_000;
const dueMs: Record<TaskKind, number> = {
  registration: 24 * hourMs,
  visit_request: 24 * hourMs,
  message: 24 * hourMs,
  unconfirmed_action: hourMs,
  identity_attempts: 24 * hourMs,
  emergency: 0,
  proxy_on_hold: 24 * hourMs,
  interpreter: 24 * hourMs,
};
const urgentMs = hourMs;

/** The write that creates a task under a given id, for the transaction of the tool run; committing it again throws `duplicate`. Two write units. */
export async function createTask(ctx: TenantContext, id: string, { kind, about, finding, callKey, officeId }: NewTask): Promise<Write> {
  const nowMs = ctx.clock().getTime();
  const [sealed, { leads }] = await awaitAllThenThrow([seal("phi", ctx.tenantId, JSON.stringify(about)), tenantRetention(ctx)]);
  const row: TaskRow = {
    id,
    at: new Date(nowMs).toISOString(),
    kind,
    topic: about.action,
    callKey,
    officeId,
    dueAt: new Date(nowMs + Math.min(dueMs[kind], about.urgent ? urgentMs : Infinity)).toISOString(),
    finding,
    sealed,
    version: 1,
    expiresAt: expiresAfter(nowMs, leads),
  };
  return create(keys.task(id), row);
}

/** The write that adds a later finding in the record system. The task stays open, as the caller has not been told. */
export const addFinding = (id: string, finding: TaskFinding): Write =>
  update<TaskRow>(keys.task(id), { set: { finding }, add: { version: 1 } }, { exists: true });

/** The write that closes a task because the caller was told during the call. */
export const closeTaskByCall = (ctx: TenantContext, id: string, finding: TaskFinding): Write =>
  update<TaskRow>(keys.task(id), { set: { finding, closedAt: ctx.clock().toISOString() }, add: { version: 1 } }, { exists: true });
