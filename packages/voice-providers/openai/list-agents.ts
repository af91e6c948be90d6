import * as z from "zod/mini";
import { readPages, type ListAgents } from "../agent-list.ts";
import { ask } from "../ask.ts";
import { apiRoot } from "./api-root.ts";

const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

/**
 * OpenAI keeps no voice agents: a realtime session is one model with what its caller tells it. So the provider's model stands
 * for its agent, inactive where this key has no such model; without one, every realtime model is offered. `GET /models` is
 * what compatible servers have too.
 * Source: openai 7.55.0 models.list.
 */
export const listOpenAiAgents: ListAgents = (connection, fetch, extent) =>
  readPages<never>(extent, async () => {
    const { baseUrl, apiKey, model } = connection;
    const { data } = await ask(connection, fetch, `${apiRoot(baseUrl)}/models`, Models, { headers: { Authorization: `Bearer ${apiKey}` } });
    const listed = model
      ? [{ id: model, isActive: data.some(({ id }) => id === model) }]
      : data.filter(({ id }) => id.includes("realtime"));
    return { listed, next: undefined };
  });
