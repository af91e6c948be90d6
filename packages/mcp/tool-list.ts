import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { toolSchemas, type ToolSchema, whenToEnd } from "@vitaline/tools";

/** Listed only where the call can be ended by us. */
export const endCallTool: ListedTool = {
  name: "endCall",
  title: "End the call",
  description: whenToEnd,
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { title: "End the call", readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};

/** For clients whose platform sends no call id. */
const callHandle = {
  type: "string",
  description: "The last answer's, if it had one",
} as const;

const inputWithHandle = ({ inputSchema }: ToolSchema): ListedTool["inputSchema"] => ({
  ...inputSchema,
  type: "object",
  properties: { ...inputSchema.properties, callHandle },
  additionalProperties: false,
});

/** Without output schemas: they would double the list, which clients put before the model at each call. */
const listed = (tool: ToolSchema): ListedTool => {
  const { title, ...hints } = tool.annotations;
  return { name: tool.name, title, description: tool.description, inputSchema: inputWithHandle(tool), annotations: hints };
};

let list: Promise<ListedTool[]> | undefined;

/** In a fixed order. https://modelcontextprotocol.io/specification/2026-07-28/server/tools */
export const mcpTools = (): Promise<ListedTool[]> => (list ??= toolSchemas().then((schemas) => schemas.map(listed)));
