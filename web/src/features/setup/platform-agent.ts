import type { Call } from "@vitaline/contract";

export type Platform = Call["platform"];

/** How a platform's agent asks for a tool. Addresses, headers and bodies as packages/voice-providers and packages/mcp read them. */
type ToolRequest = { path: string; headers?: Record<string, string>; body: unknown };
type Asked = { tenantId: string; callId: string; count: number; name: string; values: Record<string, unknown> };

/** OpenAI's calls have tokens of their own; a session with the key is an MCP client's. */
export const recordedAs = (platform: Platform): Platform => (platform === "openai" ? "mcp" : platform);

const overMcp = ({ tenantId, callId, count, name, values }: Asked): ToolRequest => ({
  path: `/api/mcp/${tenantId}`,
  headers: { accept: "application/json, text/event-stream" },
  body: {
    jsonrpc: "2.0",
    id: count,
    method: "tools/call",
    params: { name, arguments: values, _meta: { "vitaline/call-id": callId } },
  },
});

export const requestOf: Record<Platform, (asked: Asked) => ToolRequest> = {
  vapi: ({ callId, count, name, values }) => ({
    path: "/api/vapi/tool-call",
    body: {
      message: {
        type: "tool-calls",
        call: { id: callId, type: "webCall" },
        toolCallList: [{ id: `${callId}-${count}`, type: "function", function: { name, arguments: values } }],
      },
    },
  }),
  retellai: ({ callId, name, values }) => ({ path: "/api/retell/function", body: { name, call: { call_id: callId }, args: values } }),
  elevenlabs: ({ callId, name, values }) => ({
    path: `/api/elevenlabs/tool/${name}`,
    headers: { "x-conversation-id": callId },
    body: values,
  }),
  openai: overMcp,
  mcp: overMcp,
};

type Fields = { [name: string]: unknown };
const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const firstOf = (value: unknown): Fields => fieldsOf(Array.isArray(value) ? value[0] : undefined);
const fromJson = (text: unknown): unknown => {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** A sentence for the caller, or an object with it. */
const sentenceIn = (value: unknown): string | undefined => {
  const read = fromJson(value);
  if (typeof read === "string") return read;
  const { speech, error } = fieldsOf(read);
  return [error, speech].find((line): line is string => typeof line === "string");
};

/** What the agent would say after this answer; undefined if it is not one of the platform's answers to a tool call. */
export const speechIn = (platform: Platform, answer: unknown): string | undefined => {
  const body = fieldsOf(answer);
  switch (platform) {
    case "vapi": {
      const { result, error } = firstOf(body["results"]);
      return sentenceIn(error ?? result);
    }
    case "openai":
    case "mcp":
      return sentenceIn(firstOf(fieldsOf(body["result"])["content"])["text"]);
    case "retellai":
    case "elevenlabs":
      return sentenceIn(answer);
  }
};

export type Spoken = { speech: string; ms: number };

const timeoutMs = 30_000;

/** Its message is a sentence for the user. */
export class AgentFailure extends Error {}

const adviceFor = (status: number): string => {
  if (status === 401 || status === 403) return "End the test call and start another, as the key may have been replaced.";
  return "Wait a moment and try again; if it still fails, ask for help under Settings, Requests.";
};

/** Runs a tool as the platform's agent does, with the organization's key. Throws AgentFailure, and as fetch does. */
export async function askAsAgent(platform: Platform, apiKey: string, asked: Asked): Promise<Spoken> {
  const { path, headers = {}, body } = requestOf[platform](asked);
  const started = performance.now();
  const response = await fetch(path, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    credentials: "omit",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = fromJson(await response.text());
  const speech = response.ok ? speechIn(platform, answer) : undefined;
  if (speech === undefined)
    throw new AgentFailure(
      `${path} answered with status ${response.status}, and with nothing that an agent could say. ${adviceFor(response.status)}`,
    );
  return { speech, ms: Math.round(performance.now() - started) };
}
