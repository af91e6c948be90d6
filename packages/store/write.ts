import type { Key } from "./keys.ts";

/** What must hold for a write to happen. All parts together; an absent attribute satisfies `lessThanOrAbsent`. */
export type Condition = {
  exists?: boolean;
  /** An object equals one with the same members. */
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
  /** Set only where nothing stands yet. */
  setOnce?: Record<string, unknown>;
  /** Numbers are added, sets united. */
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
/** A put that must find nothing there; a second one is AppError `duplicate`. */
export const create = <Row extends object>(key: Key<Row>, row: Row): Write => put(key, row, { exists: false });
export const update = <Row extends object>(
  key: Key<Row>,
  change: { set?: Typed<Row>; setOnce?: Typed<Row>; add?: Record<string, number | Set<string>>; remove?: (keyof Row & string)[] },
  when?: Condition,
): Write => ({ verb: "update", key, change: change as Change, when });
export const remove = (key: Key<unknown>, when?: Condition): Write => ({ verb: "delete", key, when });
export const check = (key: Key<unknown>, when: Condition): Write => ({ verb: "check", key, when });

export type Expression = { expression?: string; names: Record<string, string>; values: Record<string, unknown> };

/** Collects #names and :values while an expression is written. */
const placeholders = () => {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  return {
    names,
    values,
    name: (attribute: string) => {
      // Numbered, because an attribute's name may hold signs that a placeholder may not.
      const known = Object.entries(names).find(([, named]) => named === attribute);
      const short = known?.[0] ?? `#n${Object.keys(names).length}`;
      names[short] = attribute;
      return short;
    },
    value: (value: unknown) => {
      const short = `:v${Object.keys(values).length}`;
      values[short] = value;
      return short;
    },
  };
};
type Placeholders = ReturnType<typeof placeholders>;

/** Whether a condition holds where nothing stands. */
export const holdsForNothing = (when: Condition | undefined): boolean =>
  when?.exists !== true && Object.keys(when?.equals ?? {}).length === 0;

/** What a write is held to besides its own condition: whose claimed row it may be, and the time from which expired rows count as absent. */
type Guard = { nowMs: number; owner?: string };

const partsOf = (when: Condition | undefined, { name, value }: Placeholders): string[] => [
  ...(when?.exists === true ? ["attribute_exists(pk)"] : []),
  ...(when?.exists === false ? ["attribute_not_exists(pk)"] : []),
  ...Object.entries(when?.equals ?? {}).map(([attribute, wanted]) => `${name(attribute)} = ${value(wanted)}`),
  ...Object.entries(when?.notEquals ?? {}).map(([attribute, unwanted]) => `${name(attribute)} <> ${value(unwanted)}`),
  ...(when?.absent ?? []).map((attribute) => `attribute_not_exists(${name(attribute)})`),
  ...Object.entries(when?.lessThanOrAbsent ?? {}).map(
    ([attribute, bound]) => `(attribute_not_exists(${name(attribute)}) OR ${name(attribute)} < ${value(bound)})`,
  ),
];

const isDead = ({ nowMs }: Guard, { name, value }: Placeholders): string => `${name("expiresAt")} <= ${value(nowMs / 1000)}`;
const isNotDead = ({ nowMs }: Guard, { name, value }: Placeholders): string =>
  `(attribute_not_exists(${name("expiresAt")}) OR ${name("expiresAt")} > ${value(nowMs / 1000)})`;
const isOwned = ({ owner }: Guard, { name, value }: Placeholders): string[] =>
  owner === undefined ? [] : [`(attribute_not_exists(pk) OR ${name("tenantId")} = ${value(owner)})`];

const all = (parts: string[]): string | undefined => (parts.length === 0 ? undefined : parts.join(" AND "));

const changeText = (change: Change, { name, value }: Placeholders): string => {
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

/** The condition of a write that replaces, removes or checks a whole row, as DynamoDB's expression. An expired row counts as absent. */
export function conditionOf(when: Condition | undefined, guard: Guard): Expression {
  const marks = placeholders();
  const parts = partsOf(when, marks);
  const own = all(parts);
  const living = own === undefined ? [] : holdsForNothing(when) ? [`(${own} OR ${isDead(guard, marks)})`] : [own, isNotDead(guard, marks)];
  return { expression: all([...living, ...isOwned(guard, marks)]), names: marks.names, values: marks.values };
}

/** A claimed row that an update creates is its tenant's from then on. */
const ownedBy = (change: Change, owner: string | undefined): Change =>
  owner === undefined ? change : { ...change, set: { ...change.set, tenantId: owner } };

/** An update with its condition. It never touches an expired row: see `rowOf`. */
export function updateOf(change: Change, when: Condition | undefined, guard: Guard): Expression & { update: string } {
  const marks = placeholders();
  const update = changeText(ownedBy(change, guard.owner), marks);
  const expression = all([...partsOf(when, marks), isNotDead(guard, marks), ...isOwned(guard, marks)]);
  return { update, expression, names: marks.names, values: marks.values };
}

/** What an update makes where nothing stands. */
export function rowOf(change: Change, owner: string | undefined): Record<string, unknown> {
  const { set, setOnce, add } = ownedBy(change, owner);
  const row = { ...setOnce, ...set, ...add };
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}
