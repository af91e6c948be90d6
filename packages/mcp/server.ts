import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { runTool, type ToolAnswer, type ToolContext, tools } from "@vitaline/tools";
import { callGranted, callOf, type GrantedCall, handleOf } from "./call.ts";
import { mcpTools } from "./tool-list.ts";

/** Whose server it is, for the time of one request. */
export type McpRequest = {
  ctx: ToolContext;
  officeId?: string | undefined;
  header(name: string): string | undefined;
  /** Of a request with a call's token. */
  granted?: GrantedCall | undefined;
};

const serverInfo = { name: "vitaline", title: "Vitaline healthcare tools", version: "1.0.0" };
const instructions = [
  "Tools for a voice agent that answers a clinic's phone. Call verifyPatientIdentity before anything about a patient is said or done.",
  "Say the line in `speech` to the caller. When an answer holds a callHandle, hand it unchanged to the next tool of the same call.",
].join(" ");

/** A server for one request: the protocol keeps nothing between two of them, and so does it. */
export function serverFor(asked: McpRequest): Server {
  const server = new Server(serverInfo, { capabilities: { tools: { listChanged: false } }, instructions });
  server.setRequestHandler("tools/list", () => ({ tools: mcpTools() }));
  server.setRequestHandler("tools/call", async ({ params }) => callTool(asked, params));
  return server;
}

type Params = { name: string; arguments?: Record<string, unknown> | undefined; _meta?: unknown };

async function callTool(asked: McpRequest, { name, arguments: given = {}, _meta: meta }: Params): Promise<CallToolResult> {
  if (!Object.hasOwn(tools, name)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool");
  const { ctx, officeId, header, granted } = asked;
  const { callHandle: handle, ...args } = given;
  const holder = `${ctx.tenantId}/${ctx.actor.id}`;
  const { own, ...call } = granted ? callGranted(granted) : callOf({ header, meta, handle, holder, now: ctx.clock() });
  // The JSON-RPC id says nothing across connections, so a repetition is known by its words alone
  const answer = await runTool(ctx, { ...call, ...(officeId === undefined ? {} : { officeId }), name, args });
  return resultOf(answer, own === undefined ? undefined : handleOf(holder, own, ctx.clock()));
}

/** As structure for models that read it, and as text for those that are handed text alone. */
function resultOf({ ok, code, speech, output, fields }: ToolAnswer, callHandle: string | undefined): CallToolResult {
  const structuredContent = {
    ok,
    ...(code ? { code } : {}),
    speech,
    ...(output === undefined ? {} : { data: output }),
    ...(fields ? { fields } : {}),
    ...(callHandle ? { callHandle } : {}),
  };
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent, ...(ok ? {} : { isError: true }) };
}
