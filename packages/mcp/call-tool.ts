import { ProtocolError, ProtocolErrorCode, type CallToolResult } from "@modelcontextprotocol/server";
import { emergencyLineFor, isTool, runTool } from "@vitaline/tools";
import { callOfGrant, createHandle, resolveCall } from "./call.ts";
import { resultOf } from "./result.ts";
import type { McpRequest } from "./server.ts";
import { endCallTool } from "./tool-list.ts";

const routingTool = "logRoutingEvent";

type Params = { name: string; arguments?: Record<string, unknown> | undefined; _meta?: unknown };

export async function callTool(request: McpRequest, { name, arguments: given = {}, _meta: meta }: Params): Promise<CallToolResult> {
  const { callControl } = request;
  if (callControl && name === endCallTool.name && emergencyLineFor(given) === undefined) return resultOf(await callControl.hangUp());
  if (!isTool(name) && emergencyLineFor(given) === undefined)
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
