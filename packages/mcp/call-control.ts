import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { whenToEnd } from "@vitaline/tools";

export const routingTool = "logRoutingEvent";

/** Listed only where the call can be ended by us. */
export const endCallTool: ListedTool = {
  name: "endCall",
  title: "End the call",
  description: whenToEnd,
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { title: "End the call", readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};
