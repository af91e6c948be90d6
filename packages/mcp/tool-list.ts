import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { toolSchemas, type ToolSchema } from "@vitaline/tools";

/** For clients whose platform sends no call id. */
const callHandle = {
  type: "string",
  description: "Only if an earlier answer in this call gave a callHandle: that text, unchanged.",
} as const;

const inputWithHandle = ({ inputSchema }: ToolSchema): ListedTool["inputSchema"] => ({
  ...inputSchema,
  type: "object",
  properties: { ...inputSchema.properties, callHandle },
  additionalProperties: false,
});

/** The common answer format; `data` is absent after a refusal. */
const answerSchema = ({ outputSchema }: ToolSchema): ListedTool["outputSchema"] => ({
  type: "object",
  properties: {
    ok: { type: "boolean" },
    code: { type: "string", description: "Why nothing came of it" },
    speech: { type: "string", description: "One line to say to the caller" },
    data: outputSchema,
    fields: { type: "object", description: "What is wrong with which argument", additionalProperties: { type: "string" } },
    callHandle: { type: "string", description: "To be handed to the next tool of this call" },
  },
  required: ["ok", "speech"],
});

const listed = (tool: ToolSchema): ListedTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: inputWithHandle(tool),
  outputSchema: answerSchema(tool),
  annotations: tool.annotations,
});

let list: ListedTool[] | undefined;

/** In a fixed order. https://modelcontextprotocol.io/specification/2026-07-28/server/tools */
export const mcpTools = (): ListedTool[] => (list ??= toolSchemas().map(listed));
