import type { AuditQuery } from "@vitaline/contract";
import type { AuditRow } from "@vitaline/store";
import { actOf } from "../log/describe.ts";
import { viewerOf } from "../log/display-names.ts";

type Filters = Pick<AuditQuery, "search" | "actor" | "resource">;

const searched = (row: AuditRow, names: readonly (string | undefined)[]): (string | undefined)[] => [
  row.action,
  actOf(row),
  row.actorId,
  row.actorKind,
  ...names,
  row.resourceType,
  row.resourceId,
  row.clientAddress,
  row.code,
  row.requestId,
];

/** Whether a row is what somebody looks for; undefined when they look for nothing in particular. Case does not matter. */
export function filterOf(
  { search, actor, resource }: Filters,
  namesOf: (row: AuditRow) => readonly (string | undefined)[] = (row) => [viewerOf(row)],
): ((row: AuditRow) => boolean) | undefined {
  if (search === undefined && actor === undefined && resource === undefined) return undefined;
  const same = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
  const text = search?.toLowerCase();
  return (row) =>
    (text === undefined || searched(row, namesOf(row)).some((field) => field?.toLowerCase().includes(text))) &&
    (actor === undefined || same(row.actorId, actor) || same(row.actorKind, actor)) &&
    (resource === undefined || same(row.resourceType, resource) || same(row.resourceId, resource));
}
