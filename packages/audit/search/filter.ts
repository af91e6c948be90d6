import type { AuditQuery } from "@vitaline/contract";
import type { AuditRow } from "@vitaline/store";
import { actionText } from "../log/describe.ts";
import { viewAsName } from "../log/display-names.ts";

/** Case-insensitive; undefined without a criterion. `search` also looks in the names that `namesOf` returns. */
export function rowFilter(
  { search, actor, resource }: Pick<AuditQuery, "search" | "actor" | "resource">,
  namesOf: (row: AuditRow) => readonly (string | undefined)[] = (row) => [viewAsName(row)],
): ((row: AuditRow) => boolean) | undefined {
  if (search === undefined && actor === undefined && resource === undefined) return undefined;
  const same = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
  const text = search?.toLowerCase();
  return (row) =>
    (text === undefined || searchedFields(row, namesOf(row)).some((field) => field?.toLowerCase().includes(text))) &&
    (actor === undefined || same(row.actorId, actor) || same(row.actorKind, actor)) &&
    (resource === undefined || [row.resourceType, row.resourceId, row.callKey, ...patientIdsOf(row)].some((one) => same(one, resource)));
}

const patientIdsOf = ({ patients = [] }: AuditRow): string[] => patients.map(({ id }) => id);

const searchedFields = (row: AuditRow, names: readonly (string | undefined)[]): (string | undefined)[] => [
  row.action,
  actionText(row),
  row.actorId,
  row.actorKind,
  ...names,
  row.resourceType,
  row.resourceId,
  row.callKey,
  ...patientIdsOf(row),
  row.clientAddress,
  row.code,
  row.requestId,
];
