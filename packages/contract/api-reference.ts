import { openApi } from "./openapi.ts";

type Schema = {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};
type Parameter = { name: string; in: string; required: boolean; schema: Schema };
type Content = { content?: { "application/json": { schema: Schema } } };
type Operation = {
  tags: [string];
  summary: string;
  description: string;
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};

export type ReferenceField = { name: string; type: string; isRequired?: true };
/** A route for the documentation. `answer`: the fields of a successful response, or its type where it is no object. */
export type ReferenceRoute = {
  method: string;
  path: string;
  group: string;
  auth: string;
  summary: string;
  parameters: ReferenceField[];
  body: ReferenceField[];
  status: string;
  answer: ReferenceField[] | string;
};

const distinct = (words: readonly string[]): string => [...new Set(words)].filter(Boolean).join(" or ");

/** "text, date-time or null" */
const typeOf = ({ type, format, enum: options, const: constant, anyOf, oneOf, items }: Schema): string => {
  const choices = anyOf ?? oneOf;
  if (choices) return distinct(choices.map(typeOf));
  if (options) return distinct(options.map((option) => JSON.stringify(option)));
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(type)) return distinct(type);
  if (type === "array") return `list of ${items ? typeOf(items) : "anything"}`;
  if (type === "string" && format) return format;
  return type ?? "anything";
};

const fieldsOf = ({ properties = {}, required = [] }: Schema): ReferenceField[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    ...(required.includes(name) ? { isRequired: true as const } : {}),
  }));

const schemaIn = (part: Content | undefined): Schema | undefined => part?.content?.["application/json"].schema;

const answerOf = (schema: Schema | undefined): ReferenceField[] | string => {
  if (!schema) return "nothing";
  const rows = schema.type === "array" ? schema.items : schema;
  return rows?.properties ? fieldsOf(rows) : typeOf(schema);
};

/** The routes that tenants and voice platforms call, from the OpenAPI document. Those of operators are in the document alone. */
export function apiReference(): ReferenceRoute[] {
  const { paths } = openApi() as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { tags, summary, description, parameters, requestBody, responses }]) => {
      const [, auth = ""] = /^Who may call: (\w+)\.$/.exec(description) ?? [];
      const status = Object.keys(responses).find((code) => /^[23]/.test(code)) ?? "200";
      return auth === "system_admin"
        ? []
        : [
            {
              method: method.toUpperCase(),
              path,
              group: tags[0],
              auth,
              summary,
              parameters: parameters.map(({ name, required, schema }) => ({
                name,
                type: typeOf(schema),
                ...(required ? { isRequired: true as const } : {}),
              })),
              body: fieldsOf(schemaIn(requestBody) ?? {}),
              status,
              answer: answerOf(schemaIn(responses[status])),
            },
          ];
    }),
  );
}
