import * as z from "zod/mini";
import { Call } from "../calls/calls.ts";
import { optionalLine } from "../http/fields.ts";
import { routes } from "../http/route.ts";

/** A tool's description for agents. `inputSchema`: JSON Schema 2020-12. `level`: the identity level required for every use. */
export const ListedTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  /** write: some uses change the EHR's record, and are run here only with `confirm`. */
  effect: z.enum(["read", "write"]),
  level: z.literal([0, 1, 2]),
  inputSchema: z.record(z.string(), z.unknown()),
  /** Source: Model Context Protocol, ToolAnnotations. */
  annotations: z.object({
    title: z.string(),
    readOnlyHint: z.boolean(),
    destructiveHint: z.boolean(),
    idempotentHint: z.boolean(),
    openWorldHint: z.boolean(),
  }),
});
export type ListedTool = z.infer<typeof ListedTool>;

/** Of a tool's answer before an agent's model. A longer one delays the agent's next sentence. */
export const maxModelCharacters = 1200;

/** The part of a tool's answer that enters the conversation at a platform, to the letter. */
export const ModelText = z.object({ platform: Call.shape.platform, text: z.string() });
export type ModelText = z.infer<typeof ModelText>;

/** `ok: false` is a normal result. `speech`: the sentence for the caller. */
export const TestedTool = z.object({
  ok: z.boolean(),
  code: z.nullable(z.string()),
  speech: z.string(),
  output: z.unknown(),
  requestId: z.string(),
  ms: z.number(),
  sessionId: z.string(),
  modelTexts: z.array(ModelText),
});
export type TestedTool = z.infer<typeof TestedTool>;

export const tools = routes({
  listTools: {
    method: "GET",
    path: "/api/tenant/tools",
    auth: "tenant_admin",
    summary: "The tools that the tenant's agents can use",
    response: z.array(ListedTool),
  },
  testTool: {
    method: "POST",
    path: "/api/tenant/tools/{name}",
    auth: "tenant_admin",
    summary: "Run a tool as an agent would, against the tenant's own record system; metrics leave it out",
    noStore: true,
    params: z.object({ name: z.string().check(z.regex(/^\w{1,64}$/)) }),
    body: z.strictObject({
      arguments: z._default(z.record(z.string(), z.unknown()), {}),
      /** Acts as one call: a verified identity is valid for later runs with the same id. Absent: a new call. */
      sessionId: optionalLine(64),
      /** Required for changes of the record. */
      confirm: z._default(z.boolean(), false),
    }),
    response: TestedTool,
  },
});

const common = {
  method: "POST",
  auth: "key",
  noStore: true,
  jsonRpc: true,
  body: z.unknown(),
  response: z.unknown(),
} as const;

/** 404 unless the key is of this tenant and the office belongs to it. */
const TenantPath = z.object({ tenantId: z.string().check(z.maxLength(100)) });

export const mcp = routes({
  mcpTenant: {
    ...common,
    path: "/api/mcp/{tenantId}",
    summary: "The tools for any client of the Model Context Protocol (Streamable HTTP, stateless)",
    params: TenantPath,
  },
  mcpOffice: {
    ...common,
    path: "/api/mcp/{tenantId}/{officeId}",
    summary: "The same for one office",
    params: z.extend(TenantPath, { officeId: z.string().check(z.maxLength(100)) }),
  },
});
