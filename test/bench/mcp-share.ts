import { randomUUID } from "node:crypto";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { readAppSecrets } from "@vitaline/aws";
import { answerMcp } from "@vitaline/mcp";
import { allowLoopback } from "@vitaline/outbound";
import { keys } from "@vitaline/store";
import { runTool } from "@vitaline/tools";
import type { ApiKeyContext } from "../../functions/lib/auth/types.ts";
import { asActor, platformContext } from "../../functions/lib/context/platform-context.ts";
import { withEhr } from "../../functions/lib/context/ehr-context.ts";
import { mcpTools } from "../../packages/mcp/tool-list.ts";
import { handler } from "../../functions/mcp/handler.ts";
import { eventFor, invocation, withoutLogs, startClinic, type BenchClinic } from "./clinic.ts";
import { cpuMs, median } from "./cpu.ts";

const rounds = 60;
const warmUp = 20;
const maxRatio = 1.3;

const contextOf = ({ id: tenantId }: BenchClinic): ApiKeyContext => {
  const { awsRequestId: requestId } = invocation();
  const ctx = platformContext(
    { requestId, remainingMs: 20_000, clientAddress: "", origin: "http://localhost" },
    { kind: "nobody", id: "anonymous" },
  );
  return {
    ...withEhr(asActor(ctx, { kind: "api_key", id: "bench", tenantId }), tenantId),
    keyUseWrite: Promise.resolve(),
    header: () => undefined,
  };
};

const eras = ["2026-07-28", "2025-06-18"] as const;
type Era = (typeof eras)[number];
type Request = { headers: Record<string, string>; body: object };

const requestOf = (era: Era, method: string, params: { name?: string; arguments?: object; _meta?: object }): Request => {
  const meta = { "io.modelcontextprotocol/protocolVersion": era, "io.modelcontextprotocol/clientCapabilities": {}, ...params._meta };
  const isModern = era === "2026-07-28";
  return {
    headers: {
      "mcp-protocol-version": era,
      ...(isModern ? { "mcp-method": method, ...(params.name ? { "mcp-name": params.name } : {}) } : {}),
    },
    body: { jsonrpc: "2.0", id: 1, method, params: { ...params, ...(isModern ? { _meta: meta } : {}) } },
  };
};

/** The SDK's own server with the same tools, schemas and answers, without our code. */
const bareServer = (clinic: BenchClinic, callId: string) => {
  const callKey = keys.callKeyOf("mcp", callId);
  return createMcpHandler(() => {
    const server = new Server({ name: "bare", version: "1.0.0" }, { capabilities: { tools: {} } });
    server.setRequestHandler("tools/list", async () => ({ tools: await mcpTools() }));
    server.setRequestHandler("tools/call", async ({ params: { name, arguments: args } }) => {
      const { ok, speech, output } = await runTool(contextOf(clinic), { platform: "mcp", callId, callKey, name, args });
      const structuredContent = { ok, speech, data: output };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    });
    return server;
  });
};

const askBare = async (bare: ReturnType<typeof bareServer>, { headers, body }: Request): Promise<string> => {
  const all = { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" };
  return (await bare.fetch(new Request("http://localhost/mcp", { method: "POST", headers: all, body: JSON.stringify(body) }))).text();
};

const askOurs = async (clinic: BenchClinic, { headers, body }: Request): Promise<string> => {
  const parsed: unknown = JSON.parse(JSON.stringify(body));
  return (await answerMcp({ ctx: contextOf(clinic), tenantId: clinic.id, body: parsed, header: (name) => headers[name] })).text();
};

async function compare(
  ours: () => Promise<string>,
  bare: () => Promise<string>,
  batch: number,
): Promise<{ oursMs: number; bareMs: number; ratio: number }> {
  const many = (ask: () => Promise<string>) =>
    cpuMs(async () => {
      for (let at = 0; at < batch; at++)
        if (/"error":|"isError":true/.test(await ask())) throw new Error("What was to be timed did not succeed");
    });
  const pairs: { ours: number; bare: number }[] = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    const [first, second] = round % 2 ? [ours, bare] : [bare, ours];
    const [a, b] = [await many(first), await many(second)];
    if (round >= warmUp) pairs.push(round % 2 ? { ours: a, bare: b } : { ours: b, bare: a });
  }
  return {
    oursMs: median(pairs.map((pair) => pair.ours)) / batch,
    bareMs: median(pairs.map((pair) => pair.bare)) / batch,
    ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
  };
}

/** The whole function, including the key check. */
const askFunction = async (clinic: BenchClinic, { headers, body }: Request): Promise<string> => {
  const event = eventFor(clinic, { route: "/api/mcp/{tenantId}", params: { tenantId: clinic.id }, body });
  return (await handler({ ...event, headers: { ...event.headers, ...headers } }, invocation())).body;
};

/** CPU of our MCP server compared with the SDK's own, measured alternately. Target: at most 1.3 times as much. */
export async function mcpShare(): Promise<string> {
  const clinic = await startClinic();
  try {
    const callId = randomUUID();
    const bare = bareServer(clinic, callId);
    const meta = { callId };
    const lines: string[] = [];
    await withoutLogs(async () => {
      await readAppSecrets();
      allowLoopback(invocation().invokedFunctionArn);
      for (const era of eras) {
        const verification = { name: "verifyPatientIdentity", arguments: clinic.claim, _meta: meta };
        const verified = await askOurs(clinic, requestOf(era, "tools/call", verification));
        if (!verified.includes('"ok":true')) throw new Error("The patient was not verified");
        for (const [method, params, batch] of [
          ["tools/list", {}, 20],
          ["tools/call", { name: "getPatientInfo", arguments: {}, _meta: meta }, 5],
        ] as const) {
          const request = requestOf(era, method, params);
          const server = await compare(
            () => askOurs(clinic, request),
            () => askBare(bare, request),
            batch,
          );
          const whole = await compare(
            () => askFunction(clinic, request),
            () => askBare(bare, request),
            batch,
          );
          const times = `ours ${server.oursMs.toFixed(2)} ms, bare ${server.bareMs.toFixed(2)} ms`;
          lines.push(
            `${era} ${method}  ${times}: median ratio ${server.ratio.toFixed(2)} of ${maxRatio}; with its key's check ${whole.oursMs.toFixed(2)} ms`,
          );
        }
      }
    });
    return ["CPU of our MCP server beside the SDK's own with the same schemas:", ...lines].join("\n");
  } finally {
    clinic.close();
  }
}
