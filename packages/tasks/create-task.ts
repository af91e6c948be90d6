import { seal } from "@vitaline/aws";
import type { TaskAbout, TaskFinding, TaskKind } from "@vitaline/contract";
import { allDone } from "@vitaline/core";
import { create, endAfter, keys, tenantRetention, update, type TaskRow, type TenantContext, type Write } from "@vitaline/store";

export type NewTask = {
  kind: TaskKind;
  about: TaskAbout;
  finding?: TaskFinding;
  callKey?: string | undefined;
  officeId?: string | undefined;
};

const hour = 3_600_000;
/** Within which somebody should have looked. */
const dueMs: Record<TaskKind, number> = {
  registration: 24 * hour,
  visit_request: 24 * hour,
  message: 24 * hour,
  unconfirmed_action: hour,
  identity_attempts: 24 * hour,
};
const urgentMs = hour;

/** The write that makes a task under an id of newId's, for the transaction of its promise: `duplicate` says that it is there. Two write units. */
export async function createTask(ctx: TenantContext, id: string, { kind, about, finding, callKey, officeId }: NewTask): Promise<Write> {
  const nowMs = ctx.clock().getTime();
  const [sealed, { leads }] = await allDone([seal("phi", ctx.tenantId, JSON.stringify(about)), tenantRetention(ctx)]);
  const row: TaskRow = {
    id,
    at: new Date(nowMs).toISOString(),
    kind,
    callKey,
    officeId,
    dueAt: new Date(nowMs + (about.urgent ? urgentMs : dueMs[kind])).toISOString(),
    finding,
    sealed,
    version: 1,
    expiresAt: endAfter(nowMs, leads),
  };
  return create(keys.task(id), row);
}

/** The write that adds what the record system showed later. The task stays open: nobody has told the caller. */
export const noteFinding = (id: string, finding: TaskFinding): Write =>
  update<TaskRow>(keys.task(id), { set: { finding }, add: { version: 1 } }, { exists: true });

/** The write that closes a task whose caller has got the answer in the call itself. */
export const closeByCall = (ctx: TenantContext, id: string, finding: TaskFinding): Write =>
  update<TaskRow>(keys.task(id), { set: { finding, closedAt: ctx.clock().toISOString() }, add: { version: 1 } }, { exists: true });
