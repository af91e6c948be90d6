import * as z from "zod/mini";
import { allRoutes } from "./index.ts";
import { type Auth, Problem, type Route } from "./http/route.ts";

type Schema = z.ZodMiniType;
type Json = Record<string, unknown>;

const security: Record<Auth, Json[]> = {
  public: [],
  user: [{ session: [] }],
  tenant_admin: [{ session: [] }],
  system_admin: [{ session: [] }],
  key: [{ tenantKey: [] }, { apiKeyHeader: [] }, { vapiSecret: [] }],
  // Each platform has a signature scheme of its own, which OpenAPI cannot express.
  signature: [],
};

const schemaOf = (schema: Schema, io: "input" | "output"): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
};

const content = (schema: Json): Json => ({ "application/json": { schema } });

const parametersOf = (where: "path" | "query", schema: Schema | undefined): Json[] => {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, "input") as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: where,
    required: where === "path" || required.includes(name),
    schema: value,
  }));
};

const refusal = (description: string): Json => ({ description, content: content({ $ref: "#/components/schemas/Problem" }) });

const noSession = refusal("Not signed in, or the session has ended");
const notTheirs = refusal("Not for this role, or not yet, or not while viewing as a tenant");

/** Responses to requests that fail authentication or authorization. */
const refusals: Record<Auth, Record<string, Json>> = {
  public: {},
  user: { 401: noSession, 403: notTheirs },
  tenant_admin: { 401: noSession, 403: notTheirs },
  system_admin: { 401: noSession, 403: notTheirs },
  key: {
    401: refusal("The API key is missing or not valid"),
    403: refusal("The key is right, but its organization is inactive (`tenant_inactive`)"),
  },
  signature: {
    401: refusal("The signature is missing or not valid"),
    403: refusal("The signature is right, but its organization is inactive (`tenant_inactive`)"),
  },
};

const operation = (name: string, group: string, route: Route): Json => ({
  operationId: name,
  tags: [group],
  summary: route.summary,
  description: `Who may call: ${route.auth}.`,
  security: security[route.auth],
  parameters: [...parametersOf("path", route.params), ...parametersOf("query", route.query)],
  ...(route.body ? { requestBody: { required: true, content: content(schemaOf(route.body, "input")) } } : {}),
  responses: {
    [route.status ?? 200]: {
      description: "Done",
      ...(route.status === 204 || route.status === 303 ? {} : { content: content(schemaOf(route.response, "output")) }),
    },
    ...refusals[route.auth],
    default: refusal("Not done; the body says why"),
  },
});

/** The HTTP API as OpenAPI 3.1, generated from the route table. */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const { functionName, operation: name, route } of allRoutes())
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(name, functionName, route);
  return {
    openapi: "3.1.0",
    info: { title: "Vitaline", version: "1" },
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem, "output") },
      securitySchemes: {
        session: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The token that signing in answers." },
        tenantKey: { type: "http", scheme: "bearer", description: "A tenant's API key." },
        apiKeyHeader: { type: "apiKey", in: "header", name: "x-api-key" },
        vapiSecret: { type: "apiKey", in: "header", name: "X-Vapi-Secret" },
      },
    },
  };
}
