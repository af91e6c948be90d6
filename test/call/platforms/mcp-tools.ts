import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as z from "zod/mini";
import { CannotCall } from "../demo-file.ts";
import type { ToolReply } from "../phone-call.ts";
import { jsonOrText, nothingAnswers, type Exchange } from "./request.ts";
import { parseToolReply } from "./tool-reply.ts";

type Server = {
  url: string;
  authorization: string;
  /** "auto" negotiates the newest common protocol; "legacy" starts with `initialize`. */
  mode: "auto" | "legacy";
  exchanges: Exchange[];
  meta?: Record<string, unknown>;
};
export type McpTools = { use(name: string, args: object): Promise<ToolReply>; close(): Promise<void> };

/** The tools of an MCP server through the official client. Throws CannotCall when the server refuses access. */
export async function openMcpTools({ url, authorization, mode, exchanges, meta }: Server): Promise<McpTools> {
  const client = new Client({ name: "scripted-patient", version: "1.0.0" }, { versionNegotiation: { mode } });
  const requestInit = { headers: { Authorization: `Bearer ${authorization}` } };
  await client
    .connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, fetch: recordingFetch(exchanges) }))
    .catch((cause: unknown) => {
      throw cause instanceof CannotCall ? cause : refusedIn(exchanges, cause);
    });
  await client.listTools();
  return {
    async use(name, args) {
      const started = performance.now();
      const { content } = await client.callTool({ name, arguments: { ...args }, ...(meta ? { _meta: meta } : {}) });
      // Only the text enters the model's conversation.
      const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
      return parseToolReply(jsonOrText(text), Math.round(performance.now() - started));
    },
    close: () => client.close(),
  };
}

const Sent = z.string();

const recordingFetch =
  (exchanges: Exchange[]): typeof fetch =>
  async (input, init = {}) => {
    const { origin, pathname: path } = new URL(input instanceof Request ? input.url : input);
    const at = new Date();
    const started = performance.now();
    const response = await fetch(input, init).catch((cause: unknown) => {
      throw nothingAnswers(origin, cause);
    });
    const { data: body } = z.safeParse(Sent, init.body);
    if (init.method !== "POST" || body === undefined) return response;
    const answer = jsonOrText(await response.clone().text());
    const headers = Object.fromEntries(new Headers(init.headers));
    exchanges.push({
      path,
      headers,
      body: JSON.parse(body),
      at,
      ms: Math.round(performance.now() - started),
      status: response.status,
      answer,
    });
    return response;
  };

const refusedIn = (exchanges: readonly Exchange[], cause: unknown): CannotCall => {
  const { path = "", status = 0, answer } = exchanges.at(-1) ?? {};
  return new CannotCall(`${path} answered ${status}: ${JSON.stringify(answer)}`, { status, path, cause });
};
