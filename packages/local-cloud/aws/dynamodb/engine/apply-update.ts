import type { AttributeValue, Item } from "../../types.ts";
import { db, invalid, type Operand, type Path, type Updates, type UpdateSection } from "./dynalite.ts";

type SetType = "SS" | "NS" | "BS";
type Container = { M?: Item; L?: AttributeValue[] };

/**
 * Operands are read from the old item and list elements are removed from the end, so the order of clauses has no effect. `old` is not
 * modified.
 */
export function applyUpdate(updates: Updates, old: Item): Item {
  const next = structuredClone(old);
  const assignments = updates.sections
    .filter((section) => section.type !== "remove")
    .map((section) => ({ path: section.path, value: valueOf(section, old) }));
  for (const { path, value } of assignments.toSorted((a, b) => lastIndex(a.path) - lastIndex(b.path))) {
    if (value) assign(next, path, value);
    else remove(next, path);
  }
  const removals = updates.sections.filter((section) => section.type === "remove");
  for (const { path } of removals.toSorted((a, b) => lastIndex(b.path) - lastIndex(a.path))) remove(next, path);
  return next;
}

function valueOf(section: UpdateSection, old: Item): AttributeValue | undefined {
  if (section.type === "set") return structuredClone(resolve(section.val, old));
  const existing = readPath(section.path, old);
  const operand = section.val as AttributeValue;
  if (existing && !(section.attrType in existing)) throw wrongType();
  if (section.type === "delete") return existing && without(existing, operand, section.attrType as SetType);
  if (section.attrType === "N") return { N: addDecimals(existing?.N ?? "0", operand.N!) };
  const type = section.attrType as SetType;
  return { [type]: [...new Set([...(existing?.[type] ?? []), ...operand[type]!])] };
}

function without(existing: AttributeValue, operand: AttributeValue, type: SetType) {
  const left = existing[type]!.filter((member) => !operand[type]!.includes(member));
  return left.length > 0 ? { [type]: left } : undefined;
}

function resolve(operand: Operand, old: Item): AttributeValue {
  if (Array.isArray(operand)) return readPath(operand, old) ?? missing();
  if (!("args" in operand)) return operand;
  const [first, second] = operand.args as [Operand, Operand];
  if (operand.name === "if_not_exists") return readPath(first as Path, old) ?? resolve(second, old);
  const [left, right] = [resolve(first, old), resolve(second, old)];
  if (operand.name === "list_append") {
    if (!left.L || !right.L) throw wrongType();
    return { L: [...left.L, ...right.L] };
  }
  if (left.N === undefined || right.N === undefined) throw wrongType();
  return { N: addDecimals(left.N, operand.type === "subtract" ? negate(right.N) : right.N) };
}

export function readPath(path: Path, item: Item): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item };
  for (const step of path) value = typeof step === "number" ? value?.L?.[step] : value?.M?.[step];
  return value;
}

function assign(item: Item, path: Path, value: AttributeValue): void {
  const parent = parentOf(item, path);
  const step = path.at(-1)!;
  if (typeof step === "string") parent.M![step] = value;
  else if (step < parent.L!.length) parent.L![step] = value;
  else parent.L!.push(value);
}

function remove(item: Item, path: Path): void {
  const parent = parentOf(item, path);
  const step = path.at(-1)!;
  if (typeof step === "string") delete parent.M![step];
  else parent.L!.splice(step, 1);
}

function parentOf(item: Item, path: Path): Container {
  const parent = readPath(path.slice(0, -1), item);
  if (!(typeof path.at(-1) === "number" ? parent?.L : parent?.M)) {
    throw invalid("The document path provided in the update expression is invalid for update");
  }
  return parent!;
}

function lastIndex(path: Path): number {
  const step = path.at(-1);
  return typeof step === "number" ? step : -1;
}

function missing(): never {
  throw invalid("The provided expression refers to an attribute that does not exist in the item");
}

function wrongType() {
  return invalid("An operand in the update expression has an incorrect data type");
}

export function updatedAttributes(updates: Updates | undefined, item: Item | undefined): Item | undefined {
  if (!updates || !item) return undefined;
  const picked = { ...db.mapPaths(updates.paths, item) };
  return Object.keys(picked).length > 0 ? picked : undefined;
}

export function addDecimals(left: string, right: string): string {
  const [a, b] = [split(left), split(right)];
  const scale = Math.max(a.scale, b.scale);
  const sum = a.digits * 10n ** BigInt(scale - a.scale) + b.digits * 10n ** BigInt(scale - b.scale);
  return join(sum, scale);
}

export function negate(number: string): string {
  return number.startsWith("-") ? number.slice(1) : `-${number}`;
}

function split(number: string) {
  const [whole, fraction = ""] = number.split(".");
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

function join(digits: bigint, scale: number): string {
  if (scale === 0) return digits.toString();
  const sign = digits < 0n ? "-" : "";
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  const fraction = text.slice(-scale).replace(/0+$/, "");
  const whole = text.slice(0, -scale);
  return fraction ? `${sign}${whole}.${fraction}` : whole === "0" ? "0" : sign + whole;
}
