import { seal } from "@vitaline/aws";
import { followingUp, needsFollowUp } from "@vitaline/calls";
import type { ToDo, ToDoChange } from "@vitaline/contract";
import { AppError, dayMs, notFound } from "@vitaline/core";
import { handling } from "@vitaline/leads";
import {
  keys,
  nextVersion,
  retryOnStale,
  staleVersion,
  update,
  type Audit,
  type CallRow,
  type LeadRow,
  type TaskRow,
  type TenantContext,
  type ToDoRow,
  type Write,
} from "@vitaline/store";
import { closing } from "../tasks.ts";
import { placeOf } from "./source-state.ts";
import { mayWork, peopleOf, toToDo, versionOf } from "./view.ts";

/**
 * Marks an item as done or open, gives it to a colleague, or changes its due time or note. The task, the lead or the
 * call is marked in the same transaction. `ifMatch` is the expected version. AppError `not_found`, `stale_version`, and `invalid_request` for an
 * owner who may not work on the list, and for a due time that is too early or too late.
 */
export async function changeToDo(ctx: TenantContext, id: string, change: ToDoChange, ifMatch?: number): Promise<ToDo> {
  const sealedNote = change.note ? await seal("phi", ctx.tenantId, change.note) : change.note;
  const after = await retryOnStale(ifMatch, () => changeOnce(ctx, id, { ...change, note: sealedNote }, ifMatch));
  return toToDo(after, await peopleOf(ctx, [after]));
}

async function requireColleague(ctx: TenantContext, userId: string): Promise<void> {
  const user = await ctx.store.get(keys.tenantUser(userId));
  if (user && mayWork(user)) return;
  throw new AppError("invalid_request", "This person cannot take it over.", {
    fields: { ownerId: "Must be an active colleague with access to the list" },
  });
}

const latestDays = 366;

function requireDueTime(ctx: TenantContext, { at }: ToDoRow, dueAt: string): void {
  const dueMs = Date.parse(dueAt);
  if (dueMs >= Date.parse(at) && dueMs <= ctx.clock().getTime() + latestDays * dayMs) return;
  throw new AppError("invalid_request", "It cannot be due then.", {
    fields: { dueAt: "Must be within a year from now, and not before the item's creation" },
  });
}

/** `note`: sealed. */
async function changeOnce(ctx: TenantContext, id: string, change: ToDoChange, ifMatch: number | undefined): Promise<ToDoRow> {
  const row = await ctx.store.get<ToDoRow>(keys.toDo(id));
  if (!row) throw notFound();
  if (change.ownerId) await requireColleague(ctx, change.ownerId);
  // In the form that the list is sorted by.
  const dueAt = change.dueAt === undefined ? row.dueAt : new Date(change.dueAt).toISOString();
  const isMoved = dueAt !== row.dueAt;
  if (isMoved) requireDueTime(ctx, row, dueAt);
  const source = await sources[row.source](ctx, row);
  if (ifMatch !== undefined && ifMatch !== versionOf(row, source.version)) throw staleVersion();
  const isMarked = change.done !== undefined && change.done !== (source.doneAt !== undefined);
  const isGiven = change.ownerId !== undefined && change.ownerId !== (row.ownerId ?? null);
  const isNoted = change.note !== undefined && (change.note !== null || row.sealedNote !== undefined);
  const isBehind = change.done !== undefined && (row.doneAt === undefined) !== (source.doneAt === undefined);
  if (!isMarked && !isGiven && !isMoved && !isNoted && !isBehind) return row;

  const ownerId = isGiven ? (change.ownerId ?? undefined) : row.ownerId;
  const sealedNote = isNoted ? (change.note ?? undefined) : row.sealedNote;
  const marked = isMarked ? source.mark(change.done === true, sealedNote) : undefined;
  const doneAt = marked ? marked.doneAt : source.doneAt;
  const doneBy = marked?.doneAt === undefined ? doneAt && row.doneBy : ctx.actor.id;
  const { version, asRead } = nextVersion(row, undefined);
  const values = { ownerId, sealedNote, doneAt, doneBy, chosenDueAt: isMoved ? dueAt : row.chosenDueAt };
  const after: ToDoRow = { ...row, ...values, dueAt, version, sourceVersion: marked?.version ?? source.version };
  const absent = (Object.keys(values) as (keyof typeof values)[]).filter((name) => values[name] === undefined);
  const { sourceVersion } = after;
  const own = update<ToDoRow>(
    keys.toDo(id),
    { set: { ...values, dueAt, version, sourceVersion, ...placeOf(ctx.tenantId, after) }, remove: absent },
    // Not over what the projection has written of a later state of the source
    { ...asRead, lessThanOrAbsent: { sourceVersion: source.version + 1 } },
  );
  const audit: Audit = marked?.audit ?? {
    category: row.source === "connection" ? "configuration_change" : "patient_access",
    action: "toDo.update",
    resourceType: "ToDo",
    resourceId: id,
    callKey: row.callKey,
  };
  const detail = {
    ...audit.detail,
    toDoId: id,
    source: row.source,
    ...(isMarked ? { done: change.done === true } : {}),
    given: isGiven,
    noted: isNoted,
    ...(isMoved ? { dueAt, dueBefore: row.dueAt } : {}),
  };
  await ctx.store.commit([own, ...(marked?.writes ?? [])], { ...audit, detail });
  return after;
}

/** The row that left the item, as it is now, and how to mark it. */
type Source = {
  version: number;
  doneAt: string | undefined;
  mark: (done: boolean, sealedNote: string | undefined) => { writes: Write[]; audit?: Audit; doneAt: string | undefined; version: number };
};

const sources: Readonly<Record<ToDoRow["source"], (ctx: TenantContext, row: ToDoRow) => Promise<Source>>> = {
  async task(ctx, { sourceId }) {
    const task = await ctx.store.get<TaskRow>(keys.task(sourceId));
    if (!task) throw notFound();
    return {
      version: task.version,
      doneAt: task.closedAt,
      mark(done) {
        const { write, audit, after } = closing(ctx, task, done);
        return { writes: [write], audit, doneAt: after.closedAt, version: after.version };
      },
    };
  },
  async lead(ctx, { sourceId }) {
    const lead = await ctx.store.get<LeadRow>(keys.lead(sourceId));
    if (!lead) throw notFound();
    return {
      version: lead.version ?? 1,
      doneAt: lead.handledAt,
      mark(done) {
        const { write, audit, after } = handling(ctx, lead, done);
        return { writes: [write], audit, doneAt: after.handledAt, version: after.version ?? 1 };
      },
    };
  },
  async call(ctx, { sourceId, doneAt }) {
    const call = await ctx.store.get<CallRow>(keys.call(sourceId));
    if (!call || call.erasedAt) throw notFound();
    // A later report may have shown that nothing was to be done.
    const doneAtOf = (one: CallRow): string | undefined => (needsFollowUp(one) ? undefined : (one.followUp?.doneAt ?? doneAt));
    return {
      version: call.version ?? 1,
      doneAt: doneAtOf(call),
      mark(done, sealedNote) {
        const { write, audit, after } = followingUp(ctx, call, { done, sealedNote });
        // Staff may take up again what a late report has closed.
        return { writes: [write], audit, doneAt: done ? doneAtOf(after) : undefined, version: after.version ?? 1 };
      },
    };
  },
  async connection(ctx, { sourceVersion, doneAt }) {
    return {
      version: sourceVersion,
      doneAt,
      mark: (done) => ({ writes: [], doneAt: done ? ctx.clock().toISOString() : undefined, version: sourceVersion }),
    };
  },
};
