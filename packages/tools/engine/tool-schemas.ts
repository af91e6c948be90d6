import * as z from "zod/mini";
import type { Annotations, Tool } from "../sdk/define-tool.ts";
import { tools } from "../tools.ts";

/** JSON Schema 2020-12, reduced to the keywords we read. */
export type JsonSchema = {
  type?: unknown;
  description?: string;
  enum?: unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [keyword: string]: unknown;
};
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

/** Cached: building them is slow. */
export const toolSchemas = (): readonly ToolSchema[] => (schemas ??= Object.values(tools).map(schemaOf));
