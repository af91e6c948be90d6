import { isDeepStrictEqual } from "node:util";

/** New values of a row's fields: undefined leaves one as it is, null takes it away. */
export type Fields<Row> = { [K in keyof Row]?: Row[K] | null };

/** Undefined attributes are not stored, so they do not count. */
const stored = (value: unknown): unknown => (value === undefined || value === null ? undefined : JSON.parse(JSON.stringify(value)));

/** Of these new values, those that differ from what the row holds. */
export const differing = <Row extends object>(row: Row, fields: Fields<Row>): Fields<Row> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && !isDeepStrictEqual(stored(value), stored(row[name as keyof Row])),
    ),
  ) as Fields<Row>;

/** New values as an update of the row. */
export const changeOf = <Row extends object>(fields: Fields<Row>): { set: Partial<Row>; remove: (keyof Row & string)[] } => {
  const given = Object.entries(fields);
  return {
    set: Object.fromEntries(given.filter(([, value]) => value !== null)) as Partial<Row>,
    remove: given.filter(([, value]) => value === null).map(([name]) => name as keyof Row & string),
  };
};

/** The row as it is after the update. */
export const applied = <Row extends object>(row: Row, fields: Fields<Row>): Row =>
  Object.fromEntries(Object.entries({ ...row, ...fields }).filter(([, value]) => value !== null && value !== undefined)) as Row;
