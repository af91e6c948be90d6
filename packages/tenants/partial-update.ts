import { isDeepStrictEqual } from "node:util";

/** New values of a row's fields: undefined keeps, null removes. */
export type Fields<Row> = { [K in keyof Row]?: Row[K] | null };

/** Undefined attributes are not stored, so they do not count as different. */
const asStored = (value: unknown): unknown => (value === undefined || value === null ? undefined : JSON.parse(JSON.stringify(value)));

/** The fields whose values differ from the row. */
export const changedFields = <Row extends object>(row: Row, fields: Fields<Row>): Fields<Row> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(asStored(value), asStored(row[name as keyof Row])),
    ),
  ) as Fields<Row>;

/** As arguments of a store update. */
export const toUpdate = <Row extends object>(fields: Fields<Row>): { set: Partial<Row>; remove: (keyof Row & string)[] } => {
  const entries = Object.entries(fields);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== null)) as Partial<Row>,
    remove: entries.filter(([, value]) => value === null).map(([name]) => name as keyof Row & string),
  };
};

export const applyFields = <Row extends object>(row: Row, fields: Fields<Row>): Row =>
  Object.fromEntries(Object.entries({ ...row, ...fields }).filter(([, value]) => value !== null && value !== undefined)) as Row;

const asParts = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** Enough for "policies.retention.calls" and "facts.holidays". */
const maxDepth = 3;

const changedParts = (path: readonly string[], before: unknown, after: unknown): string[] => {
  if (isDeepStrictEqual(asStored(before), asStored(after))) return [];
  const parts = path.length < maxDepth && (asParts(before) || asParts(after));
  if (!parts) return [path.join(".")];
  const names = new Set([before, after].flatMap((value) => Object.keys(asParts(value) ?? {})));
  return [...names].flatMap((name) => changedParts([...path, name], asParts(before)?.[name], asParts(after)?.[name]));
};

/** Names of what differs, for the audit: of an object, those of its parts. A default that is stored for the first time has none. */
export const changedNames = <Row extends object>(row: Row, fields: Fields<Row>): string[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    const parts = changedParts([name], row[name as keyof Row], value);
    return parts.length === 0 ? [name] : parts;
  });
