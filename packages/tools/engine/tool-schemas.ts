import * as z from "zod/mini";
import type { Annotations, Tool } from "../sdk/define-tool.ts";
import { loadTools } from "../tools.ts";

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
  annotations: Annotations;
};

/** Every tool takes it; see load-call.ts. */
const language: JsonSchema = { type: "string", description: "Spoken: en or es" };

const inputSchemaOf = (input: z.ZodMiniType): JsonSchema => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(input, { io: "input", unrepresentable: "any" });
  const schema = rest as JsonSchema;
  return { ...schema, properties: { ...schema.properties, language } };
};

const schemaOf = ({ name, description, annotations, input }: Tool): ToolSchema => ({
  name,
  title: annotations.title,
  description,
  inputSchema: inputSchemaOf(input),
  annotations,
});

let schemas: Promise<readonly ToolSchema[]> | undefined;

/** Cached: building them is slow. */
export const toolSchemas = (): Promise<readonly ToolSchema[]> =>
  (schemas ??= loadTools().then((tools) => Object.values(tools).map(schemaOf)));
