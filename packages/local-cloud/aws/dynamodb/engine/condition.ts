import type { AttributeValue, Item } from "../../types.ts";
import { addDecimals, negate, readPath } from "./apply-update.ts";
import type { ConditionNode, ConditionOperand } from "./dynalite.ts";

type Value = AttributeValue | undefined;
type Test = (values: Value[]) => boolean;

export function holds(node: ConditionNode, item: Item): boolean {
  if (node.type === "and") return node.args.every((arg) => holds(arg as ConditionNode, item));
  if (node.type === "or") return node.args.some((arg) => holds(arg as ConditionNode, item));
  if (node.type === "not") return !holds(node.args[0] as ConditionNode, item);
  const name = node.type === "function" ? node.name! : node.type;
  const test = TESTS[name];
  if (!test) throw new Error(`Unknown function or operator ${name}`);
  return test(node.args.map((arg) => valueOf(arg, item)));
}

function valueOf(arg: ConditionOperand, item: Item): Value {
  if (Array.isArray(arg)) return readPath(arg, item);
  if (!("args" in arg)) return arg as AttributeValue;
  return sizeOf(valueOf((arg as ConditionNode).args[0]!, item));
}

function sizeOf(value: Value): Value {
  const size =
    value?.S?.length ??
    (value?.B === undefined ? undefined : Buffer.byteLength(value.B, "base64")) ??
    (value?.SS ?? value?.NS ?? value?.BS ?? value?.L)?.length ??
    (value?.M && Object.keys(value.M).length);
  return size === undefined ? undefined : { N: String(size) };
}

const TESTS: Record<string, Test> = {
  "=": ([a, b]) => equal(a, b),
  "<>": ([a, b]) => !equal(a, b),
  "<": ([a, b]) => ordered(a, b, (sign) => sign < 0),
  "<=": ([a, b]) => ordered(a, b, (sign) => sign <= 0),
  ">": ([a, b]) => ordered(a, b, (sign) => sign > 0),
  ">=": ([a, b]) => ordered(a, b, (sign) => sign >= 0),
  between: ([a, low, high]) => ordered(a, low, (sign) => sign >= 0) && ordered(a, high, (sign) => sign <= 0),
  in: ([a, ...list]) => list.some((member) => equal(a, member)),
  attribute_exists: ([a]) => a !== undefined,
  attribute_not_exists: ([a]) => a === undefined,
  attribute_type: ([a, type]) => a !== undefined && typeOf(a) === type?.S,
  begins_with: ([a, start]) =>
    (a?.S !== undefined && start?.S !== undefined && a.S.startsWith(start.S)) ||
    (a?.B !== undefined && start?.B !== undefined && bytes(a).subarray(0, bytes(start).length).equals(bytes(start))),
  contains: ([a, part]) => contains(a, part),
};

function contains(value: Value, part: Value): boolean {
  if (!value || !part) return false;
  if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S);
  if (value.L) return value.L.some((member) => equal(member, part));
  const member = part.S ?? part.N ?? part.B;
  const set = part.S !== undefined ? value.SS : part.N !== undefined ? value.NS : value.BS;
  return member !== undefined && (set?.includes(member) ?? false);
}

function ordered(a: Value, b: Value, test: (sign: number) => boolean): boolean {
  if (a?.N !== undefined && b?.N !== undefined) return test(Number(addDecimals(a.N, negate(b.N))));
  const comparable = (a?.S !== undefined && b?.S !== undefined) || (a?.B !== undefined && b?.B !== undefined);
  return comparable && test(Buffer.compare(bytes(a), bytes(b)));
}

const bytes = (value: Value): Buffer => (value?.S === undefined ? Buffer.from(value?.B ?? "", "base64") : Buffer.from(value.S));

function equal(a: Value, b: Value): boolean {
  if (!a || !b || typeOf(a) !== typeOf(b)) return false;
  const sets = [a.SS ?? a.NS ?? a.BS, b.SS ?? b.NS ?? b.BS] as const;
  if (sets[0] && sets[1]) return sets[0].length === sets[1].length && sets[0].every((member) => sets[1]!.includes(member));
  if (a.L && b.L) return a.L.length === b.L.length && a.L.every((member, at) => equal(member, b.L![at]));
  if (a.M && b.M)
    return Object.keys(a.M).length === Object.keys(b.M).length && Object.keys(a.M).every((name) => equal(a.M![name], b.M![name]));
  return (a.S ?? a.N ?? a.B ?? a.BOOL ?? a.NULL) === (b.S ?? b.N ?? b.B ?? b.BOOL ?? b.NULL);
}

const typeOf = (value: AttributeValue): string | undefined => Object.keys(value)[0];
