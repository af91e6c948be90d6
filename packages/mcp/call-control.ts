import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import type { ToolAnswer } from "@vitaline/tools";

/** For platforms that leave the transfer and the end of a call to us. */
export type CallControl = {
  /** Puts the call through, if the routing tool's answer names who takes it. Returns the answer for the model. */
  transfer(answer: ToolAnswer): Promise<ToolAnswer>;
  hangUp(): Promise<ToolAnswer>;
};

export const routingTool = "logRoutingEvent";

/** Listed only where the call can be ended by us. */
export const endCallTool: ListedTool = {
  name: "endCall",
  title: "End the call",
  description: "Ends the call. Only after the caller needs nothing more and you have said goodbye, or after an emergency line was said.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { title: "End the call", readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};
