import * as z from "zod/mini";
import type { Annotations, Tool } from "../sdk/define-tool.ts";
import { tools } from "../tools.ts";

/** JSON Schema 2020-12, as far as anybody looks into it. */
export type JsonSchema = {
  type?: unknown;
  description?: string;
  enum?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [keyword: string]: unknown;
};
/** A tool's outside: what any platform is told of it. */
export type ToolSchema = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: Annotations;
};

const jsonSchema = (schema: z.ZodMiniType, io: "input" | "output"): JsonSchema => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest as JsonSchema;
};

const schemaOf = ({ name, description, annotations, input, output }: Tool): ToolSchema => ({
  name,
  title: annotations.title,
  description,
  inputSchema: jsonSchema(input, "input"),
  outputSchema: jsonSchema(output, "output"),
  annotations,
});

let schemas: readonly ToolSchema[] | undefined;

/** Every tool with the schemas of its arguments and of what it answers, always in the same order. Made once, as it takes a while. */
export const toolSchemas = (): readonly ToolSchema[] => (schemas ??= Object.values(tools).map(schemaOf));
