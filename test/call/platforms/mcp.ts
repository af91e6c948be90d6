import { randomUUID } from "node:crypto";
import { CannotCall } from "../demo-file.ts";
import { openMcpTools, type McpTools } from "./mcp-tools.ts";
import type { Connection, PhoneCall } from "../phone-call.ts";
import { reportOf } from "../report.ts";
import { openWire } from "./request.ts";
import { spokenLines } from "../spoken-lines.ts";

/** An MCP client that names its call in each request's `_meta` and reports the call itself. Source: MCP 2026-07-28. */
export function openMcpCall({ origin, apiKey, caller, called, mcpUrl }: Connection): PhoneCall {
  if (mcpUrl === undefined) throw new CannotCall("mcp needs the tenant's MCP address: add --address.");
  const wire = openWire(origin);
  const spoken = spokenLines();
  const callId = `call-${randomUUID()}`;
  const startedMs = Date.now();
  let tools: McpTools | undefined;
  let transferredTo: string | undefined;
  return {
    callId,
    exchanges: wire.exchanges,
    async ring() {
      const meta = { "vitaline/call-id": callId };
      tools = await openMcpTools({ url: mcpUrl, authorization: apiKey, mode: "auto", exchanges: wire.exchanges, meta });
    },
    async pickUp() {},
    say: spoken.say,
    async useTool(name, args) {
      if (!tools) throw new CannotCall("The call has not started.");
      const reply = await tools.use(name, args);
      spoken.pass(reply.ms);
      return reply;
    },
    async transfer(number) {
      transferredTo = number;
    },
    async hangUp(ending) {
      await tools?.close();
      const report = reportOf({ ...ending, apiKey, caller, called, platform: "mcp", callId, startedMs, spoken, transferredTo });
      await wire.tell(report);
      return report.body.endedReason ?? "";
    },
  };
}
