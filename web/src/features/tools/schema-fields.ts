import * as z from "zod/mini";
import { formatName } from "../../lib/format/labels.ts";

type Common = {
  /** Property names from the root, joined by "/" */
  path: string;
  name: string;
  label: string;
  hint: string | undefined;
  isRequired: boolean;
};
export type ArgumentField = Common &
  (
    | { kind: "text" | "date" | "number" | "yesNo" | "lines" | "json" }
    | { kind: "choice" | "choices"; options: readonly string[] }
    | { kind: "group"; fields: readonly ArgumentField[] }
  );
type Kind = ArgumentField extends infer Field ? (Field extends ArgumentField ? Omit<Field, keyof Common> : never) : never;

/** The parts of JSON Schema 2020-12 that the form supports. */
const Node = z.looseObject({
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  description: z.optional(z.string()),
  format: z.optional(z.string()),
  enum: z.optional(z.array(z.unknown())),
  items: z.optional(z.unknown()),
  properties: z.optional(z.record(z.string(), z.unknown())),
  required: z.optional(z.array(z.string())),
});
type Node = z.infer<typeof Node>;

const nodeOf = (schema: unknown): Node => Node.safeParse(schema).data ?? {};

export const labelOf = (name: string): string => formatName(name) || name;

const typesOf = ({ type }: Node): string[] =>
  (Array.isArray(type) ? type : type === undefined ? [] : [type]).filter((one) => one !== "null");
const areAllIn = (types: readonly string[], allowed: readonly string[]): boolean =>
  types.length > 0 && types.every((type) => allowed.includes(type));
const isText = (types: readonly string[]): boolean => types.includes("string") && areAllIn(types, ["string", "number", "integer"]);
const stringOptions = ({ enum: options }: Node): string[] | undefined =>
  options && options.length > 0 && options.every((option) => typeof option === "string") ? options : undefined;

const kindOf = (node: Node, path: string): Kind => {
  const types = typesOf(node);
  const options = stringOptions(node);
  if (options) return { kind: "choice", options };
  if (node.enum) return { kind: "json" };
  if (areAllIn(types, ["boolean"])) return { kind: "yesNo" };
  if (areAllIn(types, ["number", "integer"])) return { kind: "number" };
  if (isText(types)) return { kind: node.format === "date" ? "date" : "text" };
  if (areAllIn(types, ["array"])) return listKind(nodeOf(node.items));
  if (areAllIn(types, ["object"]) && Object.keys(node.properties ?? {}).length > 0) return { kind: "group", fields: fieldsIn(node, path) };
  return { kind: "json" };
};

const listKind = (items: Node): Kind => {
  const options = stringOptions(items);
  if (options) return { kind: "choices", options };
  return { kind: isText(typesOf(items)) && !items.enum ? "lines" : "json" };
};

const fieldsIn = ({ properties = {}, required = [] }: Node, within: string): ArgumentField[] =>
  Object.entries(properties).map(([name, schema]) => {
    const node = nodeOf(schema);
    const path = within ? `${within}/${name}` : name;
    const about = { path, name, label: labelOf(name), hint: node.description, isRequired: required.includes(name) };
    return { ...about, ...kindOf(node, path) };
  });

/** The form fields of a tool's input schema, in its order. Unsupported types become JSON fields. */
export const fieldsOf = (inputSchema: unknown): ArgumentField[] => fieldsIn(nodeOf(inputSchema), "");
