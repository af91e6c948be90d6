import { mayCall, type ToDo } from "@vitaline/contract";
import { allRows, fullName, keys, type TenantContext, type ToDoRow, type UserDirectoryRow } from "@vitaline/store";

type Person = NonNullable<ToDo["owner"]>;

export const personOf = (user: UserDirectoryRow): Person => ({ id: user.id, name: fullName(user) });

/** Whether a user may open the list and is told of what is on it. */
export const mayWork = ({ isActive, access }: UserDirectoryRow): boolean => isActive && mayCall(access, "GET /api/tenant/to-do");

/** Whom an item can be given to. One Query. */
export const colleaguesOf = async ({ store, tenantId }: TenantContext): Promise<UserDirectoryRow[]> =>
  (await allRows<UserDirectoryRow>(store, keys.tenantPartitions.users(tenantId))).filter(mayWork);

/** Who owns or has done the items; one read, none where there is no one. */
export async function peopleOf(ctx: TenantContext, rows: readonly ToDoRow[]): Promise<ReadonlyMap<string, Person>> {
  const ids = [...new Set(rows.flatMap(({ ownerId, doneBy }) => [ownerId, doneBy]).filter((id) => id !== undefined))];
  const found = ids.length === 0 ? [] : await ctx.store.batchGet(ids.map((id) => keys.tenantUser(id)));
  return new Map(found.flatMap((row) => (row ? [[row.id, personOf(row)] as const] : [])));
}

/** A colleague who was deleted has no name left. */
const nameless = "A former colleague";

/** `sourceVersion`: of the source as it is now, where it was read. */
export function toToDo(row: ToDoRow, people: ReadonlyMap<string, Person>, sourceVersion: number = row.sourceVersion): ToDo {
  const person = (id: string | undefined): Person | null => (id === undefined ? null : (people.get(id) ?? { id, name: nameless }));
  return {
    id: row.id,
    kind: row.kind,
    topic: row.topic ?? null,
    createdAt: row.at,
    dueAt: row.dueAt,
    doneAt: row.doneAt ?? null,
    doneBy: person(row.doneBy),
    owner: person(row.ownerId),
    hasNote: row.sealedNote !== undefined,
    callId: row.callKey ?? null,
    officeId: row.officeId ?? null,
    finding: row.finding ?? null,
    version: versionOf(row, sourceVersion),
  };
}

/** Both only grow, so the sum tells every state from every other. */
export const versionOf = ({ version = 1 }: Pick<ToDoRow, "version">, sourceVersion: number): number => version + sourceVersion;
