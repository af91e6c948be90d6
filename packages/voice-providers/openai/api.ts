import { outboundFetch, sendOverWebSocket } from "@vitaline/outbound";
import * as z from "zod/mini";
import { readPages, type ListAgents } from "../transport/agent-pages.ts";
import { requestJson, sendCommand, type Connection } from "../transport/request.ts";

/** A base URL without a path is OpenAI's, with the API under /v1. */
const apiRoot = (baseUrl = "https://api.openai.com"): string => (new URL(baseUrl).pathname === "/" ? `${baseUrl}/v1` : baseUrl);

const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * OpenAI has no agents. The provider's model stands for its agent, inactive if the key has no access to it; without a model all
 * realtime and live models are listed. Compatible servers offer `GET /models` as well. Source: openai 7.55.0 models.list.
 */
export const listAgents: ListAgents = (connection, fetch, extent) =>
  readPages<never>(extent, async () => {
    const { baseUrl, apiKey, model } = connection;
    const { data } = await requestJson(connection, fetch, `${apiRoot(baseUrl)}/models`, Models, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const listed = model
      ? [{ id: model, isActive: data.some(({ id }) => id === model) }]
      : data.filter(({ id }) => id.includes("realtime") || id.startsWith("gpt-live"));
    return { listed, next: undefined };
  });

export type CallVerb = "accept" | "reject" | "refer" | "hangup";
export type CommandResult = "done" | "gone" | "refused";

/** Whether the id is one of the Live API, as in `live.transport.incoming`; others are of the Realtime API. */
export const isLiveSession = (callId: string): boolean => callId.startsWith("live_");

/**
 * `POST /realtime/calls/{id}/{verb}`, `POST /live/sessions/{id}/{verb}`. Result and AppErrors as sendCommand. Source: openai 7.55.0
 * realtime.calls, live.sessions.
 */
export function controlCall(connection: Connection, callId: string, verb: CallVerb, body?: object): Promise<CommandResult> {
  const path = `${isLiveSession(callId) ? "live/sessions" : "realtime/calls"}/${encodeURIComponent(callId)}/${verb}`;
  return sendCommand(connection, outboundFetch, `${apiRoot(connection.baseUrl)}/${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${connection.apiKey}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body && JSON.stringify(body),
  });
}

const Event = z.object({ type: z.string() });
const greetingMs = 4000;

/**
 * Makes the agent speak first: an accepted call waits for the caller's voice otherwise. Throws OutboundError, or an Error if OpenAI does
 * not take the command. Source: OpenAI's page on the Realtime API with SIP.
 */
export async function greet({ baseUrl, apiKey, remainingMs }: Connection, callId: string): Promise<void> {
  const url = new URL(`${apiRoot(baseUrl)}/realtime?call_id=${encodeURIComponent(callId)}`);
  await sendOverWebSocket(url.href, {
    headers: { Authorization: `Bearer ${apiKey}` },
    message: JSON.stringify({ type: "response.create" }),
    isAnswer(message) {
      const { type } = z.parse(Event, JSON.parse(message));
      if (type === "error") throw new Error("OpenAI does not take the greeting");
      return type === "response.created";
    },
    timeoutMs: Math.min(greetingMs, remainingMs()),
    registeredOrigin: url.origin,
  });
}
