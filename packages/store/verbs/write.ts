import type { Key } from "../entities/entity.ts";

/** All parts must hold. An absent attribute satisfies `lessThanOrAbsent`. */
export type Condition = {
  exists?: boolean;
  /** Objects are equal when their members are. */
  equals?: Record<string, string | number | boolean | object>;
  notEquals?: Record<string, string | number | boolean>;
  absent?: string[];
  lessThanOrAbsent?: Record<string, string | number>;
};

export type Write =
  | { verb: "put"; key: Key<unknown>; row: Record<string, unknown>; when?: Condition }
  | { verb: "update"; key: Key<unknown>; change: Change; when?: Condition }
  | { verb: "delete"; key: Key<unknown>; when?: Condition }
  | { verb: "check"; key: Key<unknown>; when: Condition };

export type Change = {
  set?: Record<string, unknown>;
  /** Sets an attribute only if it does not exist (if_not_exists). */
  setOnce?: Record<string, unknown>;
  /** Adds to a number or a set. */
  add?: Record<string, number | Set<string>>;
  remove?: string[];
};

type Typed<Row> = { [K in keyof Row]?: Row[K] };

export const put = <Row extends object>(key: Key<Row>, row: Row, when?: Condition): Write => ({
  verb: "put",
  key,
  row: row as Record<string, unknown>,
  when,
});
/** A put of a new row; AppError `duplicate` when one exists. */
export const create = <Row extends object>(key: Key<Row>, row: Row): Write => put(key, row, { exists: false });
export const update = <Row extends object>(
  key: Key<Row>,
  change: { set?: Typed<Row>; setOnce?: Typed<Row>; add?: Record<string, number | Set<string>>; remove?: (keyof Row & string)[] },
  when?: Condition,
): Write => ({ verb: "update", key, change: change as Change, when });
export const remove = (key: Key<unknown>, when?: Condition): Write => ({ verb: "delete", key, when });
export const check = (key: Key<unknown>, when: Condition): Write => ({ verb: "check", key, when });
