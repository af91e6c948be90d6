import type { Key } from "./keys.ts";

/** What must hold for a write to happen. All parts together; an absent attribute satisfies `lessThanOrAbsent`. */
export type Condition = {
  exists?: boolean;
  equals?: Record<string, string | number | boolean>;
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

type Expression = { expression?: string; names: Record<string, string>; values: Record<string, unknown> };

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

const conditionText = (
  when: Condition | undefined,
  ownerTenantId: string | undefined,
  { name, value }: Placeholders,
): string | undefined => {
  const parts: string[] = [];
  if (when?.exists === true) parts.push("attribute_exists(pk)");
  if (when?.exists === false) parts.push("attribute_not_exists(pk)");
  for (const [attribute, wanted] of Object.entries(when?.equals ?? {})) parts.push(`${name(attribute)} = ${value(wanted)}`);
  for (const [attribute, unwanted] of Object.entries(when?.notEquals ?? {})) parts.push(`${name(attribute)} <> ${value(unwanted)}`);
  for (const attribute of when?.absent ?? []) parts.push(`attribute_not_exists(${name(attribute)})`);
  for (const [attribute, bound] of Object.entries(when?.lessThanOrAbsent ?? {}))
    parts.push(`(attribute_not_exists(${name(attribute)}) OR ${name(attribute)} < ${value(bound)})`);
  if (ownerTenantId !== undefined) parts.push(`(attribute_not_exists(pk) OR ${name("tenantId")} = ${value(ownerTenantId)})`);
  return parts.length === 0 ? undefined : parts.join(" AND ");
};

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

/** Condition of a write as DynamoDB's expression; `ownerTenantId` guards claimed rows. */
export function conditionOf(when: Condition | undefined, ownerTenantId?: string): Expression {
  const marks = placeholders();
  return { expression: conditionText(when, ownerTenantId, marks), names: marks.names, values: marks.values };
}

export function updateOf(change: Change, when: Condition | undefined, ownerTenantId?: string): Expression & { update: string } {
  const marks = placeholders();
  // A claimed row that an update creates is its tenant's from then on.
  const owned = ownerTenantId === undefined ? change : { ...change, set: { ...change.set, tenantId: ownerTenantId } };
  const update = changeText(owned, marks);
  return { update, expression: conditionText(when, ownerTenantId, marks), names: marks.names, values: marks.values };
}
