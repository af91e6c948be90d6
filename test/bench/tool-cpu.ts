import { randomUUID } from "node:crypto";
import { handler as mcp } from "../../functions/mcp/handler.ts";
import { handler as voice } from "../../functions/voice/handler.ts";
import { eventFor, invocation, withoutLogs, startClinic, type BenchClinic } from "./clinic.ts";
import { cpuMs, median } from "./cpu.ts";

const rounds = 150;
const warmUp = 100;
const budgetMs = 25;

type Ask = (callId: string, name: string, args: object) => Promise<string>;

const vapi =
  (clinic: BenchClinic): Ask =>
  async (callId, name, args) => {
    const toolCall = { id: randomUUID(), type: "function", function: { name, arguments: args } };
    const body = { message: { type: "tool-calls", call: { id: callId }, toolCallList: [toolCall] } };
    return (await voice(eventFor(clinic, { route: "/api/vapi/tool-call", body }), invocation())).body;
  };

const overMcp =
  (clinic: BenchClinic): Ask =>
  async (callId, name, args) => {
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args, _meta: { callId } } };
    return (await mcp(eventFor(clinic, { route: "/api/mcp/{tenantId}", params: { tenantId: clinic.id }, body }), invocation())).body;
  };

const tools = [
  ["getPatientInfo", {}],
  ["scheduleAppointment", { action: "find" }],
] as const;

async function measure(ask: Ask, clinic: BenchClinic, tool: string, args: object): Promise<number> {
  const callId = randomUUID();
  await ask(callId, "verifyPatientIdentity", clinic.claim);
  const times: number[] = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    let answer = "";
    const ms = await cpuMs(async () => void (answer = await ask(callId, tool, args)));
    if (/"error":|"isError":true/.test(answer)) throw new Error("A tool call that was to be timed did not succeed");
    if (round >= warmUp) times.push(ms);
  }
  return median(times);
}

/** CPU of a warm tool call over Vapi and over MCP, without AWS and EHR. */
export async function toolCpu(): Promise<string> {
  const clinic = await startClinic();
  try {
    const lines: string[] = [];
    for (const [platform, ask] of [
      ["Vapi", vapi(clinic)],
      ["MCP", overMcp(clinic)],
    ] as const)
      for (const [tool, args] of tools)
        lines.push(`${platform.padEnd(5)} ${tool.padEnd(20)} ${(await withoutLogs(() => measure(ask, clinic, tool, args))).toFixed(1)} ms`);
    return [`CPU of a warm tool call without its EHR, median of ${rounds} (at most ${budgetMs} ms):`, ...lines].join("\n");
  } finally {
    clinic.close();
  }
}
