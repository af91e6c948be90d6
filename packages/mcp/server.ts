import { ProtocolError, ProtocolErrorCode, Server, type CallToolResult, type Tool as ListedTool } from "@modelcontextprotocol/server";
import { emergencyLineFor, runTool, tools, type ToolContext, type CallControl, whenToEnd } from "@vitaline/tools";
import { callOfGrant, createHandle, resolveCall, type GrantedCall } from "./call.ts";
import { resultOf } from "./result.ts";
import { mcpTools } from "./tool-list.ts";

const routingTool = "logRoutingEvent";

/** Listed only where the call can be ended by us. */
const endCallTool: ListedTool = {
  name: "endCall",
  title: "End the call",
  description: whenToEnd,
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  annotations: { title: "End the call", readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
};

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

/** The protocol is stateless, so each request gets its own server. */
export function serverFor(request: McpRequest): Server {
  const server = new Server(serverInfo, { capabilities: { tools: { listChanged: false } }, instructions });
  server.setRequestHandler("tools/list", ({ params }) => {
    // The list is one page, so no cursor is ours.
    if (params?.cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such cursor");
    return { tools: [...mcpTools(), ...(request.callControl ? [endCallTool] : [])] };
  });
  server.setRequestHandler("tools/call", async ({ params }) => callTool(request, params));
  return server;
}

type Params = { name: string; arguments?: Record<string, unknown> | undefined; _meta?: unknown };

async function callTool(request: McpRequest, { name, arguments: given = {}, _meta: meta }: Params): Promise<CallToolResult> {
  const { callControl } = request;
  if (callControl && name === endCallTool.name && emergencyLineFor(given) === undefined) return resultOf(await callControl.hangUp());
  if (!Object.hasOwn(tools, name) && emergencyLineFor(given) === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool");
  const { ctx, officeId, header, granted } = request;
  const { callHandle: handle, ...args } = given;
  const holder = `${ctx.tenantId}/${ctx.actor.id}`;
  const { own, ...call } = granted ? callOfGrant(granted) : resolveCall({ header, meta, handle, holder, now: ctx.clock() });
  // JSON-RPC ids are not unique across connections, so a retry is recognized by its content.
  const answer = await runTool(ctx, { ...call, ...(officeId === undefined ? {} : { officeId }), name, args });
  const told = callControl && name === routingTool ? await callControl.transfer(answer, args) : answer;
  return resultOf(told, own === undefined ? undefined : createHandle(holder, own, ctx.clock()));
}
