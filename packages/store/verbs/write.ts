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

type Change = {
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

export type Expression = { expression?: string; names: Record<string, string>; values: Record<string, unknown> };

/** Implicit conditions of every write. `owner`: the tenant that must own a lookup row. `nowMs`: rows expired by then are absent. */
type Guard = { nowMs: number; owner?: string };

/** The ConditionExpression of a put, delete or check. An expired row counts as absent. */
export function conditionOf(when: Condition | undefined, guard: Guard): Expression {
  const placeholders = createPlaceholders();
  const stated = and(termsOf(when, placeholders));
  const live =
    stated === undefined
      ? []
      : holdsForMissingRow(when)
        ? [`(${stated} OR ${isExpired(guard, placeholders)})`]
        : [stated, isNotExpired(guard, placeholders)];
  return { expression: and([...live, ...isOwned(guard, placeholders)]), names: placeholders.names, values: placeholders.values };
}

/** The UpdateExpression and condition of an update. It never changes an expired row: see `rowOf`. */
export function updateOf(change: Change, when: Condition | undefined, guard: Guard): Expression & { update: string } {
  const placeholders = createPlaceholders();
  const update = updateExpressionOf(withOwner(change, guard.owner), placeholders);
  const expression = and([...termsOf(when, placeholders), isNotExpired(guard, placeholders), ...isOwned(guard, placeholders)]);
  return { update, expression, names: placeholders.names, values: placeholders.values };
}

/** The row that an update creates where none exists. */
export function rowOf(change: Change, owner: string | undefined): Record<string, unknown> {
  const { set, setOnce, add } = withOwner(change, owner);
  const row = { ...setOnce, ...set, ...add };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

export const holdsForMissingRow = (when: Condition | undefined): boolean =>
  when?.exists !== true && Object.keys(when?.equals ?? {}).length === 0;

/** An update that creates a lookup row makes the tenant its owner. */
const withOwner = (change: Change, owner: string | undefined): Change =>
  owner === undefined ? change : { ...change, set: { ...change.set, tenantId: owner } };

const createPlaceholders = () => {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  return {
    names,
    values,
    name: (attribute: string) => {
      // Numbered, because attribute names may contain characters that are invalid in placeholders.
      const known = Object.entries(names).find(([, named]) => named === attribute);
      const placeholder = known?.[0] ?? `#n${Object.keys(names).length}`;
      names[placeholder] = attribute;
      return placeholder;
    },
    value: (value: unknown) => {
      const placeholder = `:v${Object.keys(values).length}`;
      values[placeholder] = value;
      return placeholder;
    },
  };
};
type Placeholders = ReturnType<typeof createPlaceholders>;

const and = (terms: string[]): string | undefined => (terms.length === 0 ? undefined : terms.join(" AND "));

const termsOf = (when: Condition | undefined, { name, value }: Placeholders): string[] => [
  ...(when?.exists === true ? ["attribute_exists(pk)"] : []),
  ...(when?.exists === false ? ["attribute_not_exists(pk)"] : []),
  ...Object.entries(when?.equals ?? {}).map(([attribute, expected]) => `${name(attribute)} = ${value(expected)}`),
  ...Object.entries(when?.notEquals ?? {}).map(([attribute, excluded]) => `${name(attribute)} <> ${value(excluded)}`),
  ...(when?.absent ?? []).map((attribute) => `attribute_not_exists(${name(attribute)})`),
  ...Object.entries(when?.lessThanOrAbsent ?? {}).map(
    ([attribute, bound]) => `(attribute_not_exists(${name(attribute)}) OR ${name(attribute)} < ${value(bound)})`,
  ),
];

const isExpired = ({ nowMs }: Guard, { name, value }: Placeholders): string => `${name("expiresAt")} <= ${value(nowMs / 1000)}`;
const isNotExpired = ({ nowMs }: Guard, { name, value }: Placeholders): string =>
  `(attribute_not_exists(${name("expiresAt")}) OR ${name("expiresAt")} > ${value(nowMs / 1000)})`;
const isOwned = ({ owner }: Guard, { name, value }: Placeholders): string[] =>
  owner === undefined ? [] : [`(attribute_not_exists(pk) OR ${name("tenantId")} = ${value(owner)})`];

const updateExpressionOf = (change: Change, { name, value }: Placeholders): string => {
  const sets = [
    ...Object.entries(change.set ?? {}).flatMap(([attribute, v]) => (v === undefined ? [] : [`${name(attribute)} = ${value(v)}`])),
    ...Object.entries(change.setOnce ?? {}).flatMap(([attribute, v]) =>
      v === undefined ? [] : [`${name(attribute)} = if_not_exists(${name(attribute)}, ${value(v)})`],
    ),
  ];
  const adds = Object.entries(change.add ?? {}).map(([attribute, v]) => `${name(attribute)} ${value(v)}`);
  const removes = (change.remove ?? []).map((attribute) => name(attribute));
  if (sets.length + adds.length + removes.length === 0) throw new Error("An update must change something");
  return [
    sets.length && `SET ${sets.join(", ")}`,
    adds.length && `ADD ${adds.join(", ")}`,
    removes.length && `REMOVE ${removes.join(", ")}`,
  ]
    .filter(Boolean)
    .join(" ");
};
