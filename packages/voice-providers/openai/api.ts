import { outboundFetch } from "@vitaline/outbound";
import * as z from "zod/mini";
import { type ListAgents, readPages } from "../transport/agent-pages.ts";
import { requestJson, sendCommand, type Connection } from "../transport/request.ts";

/** Where OpenAI's API begins. A base URL without a path is of OpenAI's own kind, whose API begins at /v1; others say where theirs does. */
const apiRoot = (baseUrl = "https://api.openai.com"): string => (new URL(baseUrl).pathname === "/" ? `${baseUrl}/v1` : baseUrl);

const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * OpenAI keeps no voice agents: a realtime session is one model with what its caller tells it. So the provider's model stands
 * for its agent, inactive where this key has no such model; without one, every realtime model is offered. `GET /models` is
 * what compatible servers have too.
 * Source: openai 7.55.0 models.list.
 */
export const listAgents: ListAgents = (connection, fetch, extent) =>
  readPages<never>(extent, async () => {
    const { baseUrl, apiKey, model } = connection;
    const { data } = await requestJson(connection, fetch, `${apiRoot(baseUrl)}/models`, Models, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    const listed = model
      ? [{ id: model, isActive: data.some(({ id }) => id === model) }]
      : data.filter(({ id }) => id.includes("realtime"));
    return { listed, next: undefined };
  });

export type CallVerb = "accept" | "reject";

/** `POST /realtime/calls/{id}/{verb}`; "gone" and AppErrors as sendCommand. Source: openai 7.55.0 realtime.calls. */
export const controlCall = (connection: Connection, callId: string, verb: CallVerb, body: object) =>
  sendCommand(connection, outboundFetch, `${apiRoot(connection.baseUrl)}/realtime/calls/${encodeURIComponent(callId)}/${verb}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${connection.apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
