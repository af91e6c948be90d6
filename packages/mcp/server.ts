import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallControl, ToolContext } from "@vitaline/tools";
import type { GrantedCall } from "./call.ts";

export type McpRequest = {
  ctx: ToolContext;
  officeId?: string | undefined;
  header(name: string): string | undefined;
  /** Set for a request with a call token. */
  granted?: GrantedCall | undefined;
  /** Set where the call's platform leaves its transfer and end to us. */
  callControl?: CallControl | undefined;
};

const serverInfo = { name: "vitaline", title: "Vitaline healthcare tools", version: "1.0.0" };
const instructions = [
  "Tools for a voice agent that answers a clinic's phone. Call verifyPatientIdentity before anything about a patient is said or done.",
  "Say the line in `speech` to the caller; `data` beside it is for you. When an answer has a callHandle, pass it unchanged to the next",
  "tool of the same call.",
].join(" ");

/** The protocol is stateless, so each request gets its own server. The tools are loaded when they are listed or called. */
export function serverFor(request: McpRequest): Server {
  const server = new Server(serverInfo, { capabilities: { tools: { listChanged: false } }, instructions });
  server.setRequestHandler("tools/list", async ({ params }) => {
    // The list is one page, so no cursor is ours.
    if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such cursor");
    const { endCallTool, mcpTools } = await import("./tool-list.ts");
    return { tools: [...(await mcpTools()), ...(request.callControl ? [endCallTool] : [])] };
  });
  server.setRequestHandler("tools/call", async ({ params }) => (await import("./call-tool.ts")).callTool(request, params));
  return server;
}
