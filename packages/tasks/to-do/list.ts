import { requireOffice } from "@vitaline/calls";
import { type ToDo, type ToDoCount, type ToDoFilter, toDoGroups } from "@vitaline/contract";
import { awaitAllThenThrow } from "@vitaline/core";
import { keys, type Page, type TenantContext, type ToDoRow } from "@vitaline/store";
import { emergencies } from "./source-state.ts";
import { colleaguesOf, peopleOf, toToDo } from "./view.ts";

const pageSize = 50;
/** Bounds the work of a filter that matches few items. */
const examined = 200;

type ToDoQuery = ToDoFilter & { done?: boolean; limit?: number; cursor?: string };

/**
 * A page of the tenant's items: the open ones, emergencies first and then by due time, or the done ones, newest first. One Query and
 * one read of their owners, however many items there are, and one of the colleagues for `unassigned`. A filtered page may be short or
 * empty and still have a next one. AppError `not_found` for another tenant's office.
 */
export async function listToDo(ctx: TenantContext, { done = false, limit = pageSize, cursor, ...filter }: ToDoQuery): Promise<Page<ToDo>> {
  const { openToDo, doneToDo } = keys.tenantPartitions;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const colleagues = filter.unassigned === undefined ? [] : await colleaguesOf(ctx);
  const viewer = { id: ctx.actor.id, colleagues: new Set(colleagues.map(({ id }) => id)) };
  const [{ rows, next }] = await awaitAllThenThrow([
    ctx.store.query<ToDoRow>((done ? doneToDo : openToDo)(ctx.tenantId), {
      index: "gsi1",
      descending: done,
      limit,
      cursor,
      examine: examined,
      where: isFiltered ? (row) => matches(row, filter, viewer) : undefined,
    }),
    requireOffice(ctx, filter.officeId),
  ]);
  const people = await peopleOf(ctx, rows);
  return { rows: rows.map((row) => toToDo(row, people)), next };
}

type Viewer = { id: string; colleagues: ReadonlySet<string> };

const matches = (row: ToDoRow, { group, mine, unassigned, officeId }: ToDoFilter, viewer: Viewer): boolean =>
  (group === undefined || toDoGroups[row.kind] === group) &&
  (mine === undefined || (row.ownerId === viewer.id) === mine) &&
  // An owner who has left the list does not hide an item.
  (unassigned === undefined || (row.ownerId !== undefined && viewer.colleagues.has(row.ownerId)) !== unassigned) &&
  // An item without an office, such as an emergency on a shared line, concerns every office.
  (officeId === undefined || row.officeId === undefined || row.officeId === officeId);

const mostCounted = 100;

/** One Query of at most a hundred rows and one. */
export async function countToDo(ctx: TenantContext): Promise<ToDoCount> {
  const range = { index: "gsi1", limit: mostCounted + 1 } as const;
  const { rows } = await ctx.store.query<ToDoRow>(keys.tenantPartitions.openToDo(ctx.tenantId), range);
  return {
    open: Math.min(rows.length, mostCounted),
    emergencies: rows.filter(({ gsi1sk }) => gsi1sk.startsWith(`${emergencies}#`)).length,
    hasMore: rows.length > mostCounted,
  };
}
