import { StartError } from "../lib/run.ts";

/** Source: Lambda's "Filter rule syntax". */
export type Pattern = (event: unknown) => boolean;
type Test = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** Throws for an unsupported operator. */
export function parsePattern(json: string, where: string): Pattern {
  const parse = (pattern: unknown, path: string): Test => {
    if (Array.isArray(pattern)) return anyOf(pattern.map((alternative) => leaf(alternative, path)));
    if (!isObject(pattern)) throw new StartError(`${where}: the filter at ${path || "its top"} is neither a list nor an object.`);
    const tests = Object.entries(pattern).map(([name, inner]): Test => {
      if (name === "$or") return anyOf((inner as unknown[]).map((alternative) => parse(alternative, path)));
      const test = parse(inner, path ? `${path}.${name}` : name);
      return (value) => test(isObject(value) ? value[name] : undefined);
    });
    return (value) => tests.every((test) => test(value));
  };

  const leaf = (alternative: unknown, path: string): Test => {
    if (!isObject(alternative)) return (value) => value === alternative;
    const [operator = "", operand] = Object.entries(alternative)[0] ?? [];
    const build = operators[operator];
    if (!build) throw new StartError(`${where}: the filter at ${path} uses "${operator}", which does not run here.`);
    return build(operand, (inner) => leaf(inner, path));
  };

  return parse(JSON.parse(json), "");
}

const anyOf =
  (tests: Test[]): Test =>
  (value) =>
    tests.some((test) => test(value));

const onText =
  (test: (text: string) => boolean): Test =>
  (value) =>
    typeof value === "string" && test(value);

const operators: Record<string, (operand: unknown, leaf: (alternative: unknown) => Test) => Test> = {
  prefix: (operand) => onText((text) => text.startsWith(String(operand))),
  suffix: (operand) => onText((text) => text.endsWith(String(operand))),
  "equals-ignore-case": (operand) => onText((text) => text.toLowerCase() === String(operand).toLowerCase()),
  exists: (operand) => (value) => (value !== undefined) === operand,
  "anything-but": (operand, leaf) => {
    const excluded = anyOf([operand].flat().map(leaf));
    return (value) => value !== undefined && !excluded(value);
  },
};
