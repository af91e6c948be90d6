import * as z from "zod/mini";
import { readPages, type ListAgents } from "../agent-list.ts";
import { ask } from "../ask.ts";

const Agents = z.object({
  agents: z.array(
    z.object({ agent_id: z.string(), name: z.optional(z.nullable(z.string())), archived: z.optional(z.nullable(z.boolean())) }),
  ),
  has_more: z.optional(z.boolean()),
  next_cursor: z.optional(z.nullable(z.string())),
});

/**
 * ElevenLabs' agents: `GET /v1/convai/agents`, paged by `next_cursor`; one that is archived answers no calls. A workspace
 * outside the usual region has a base URL of its own, such as https://api.eu.residency.elevenlabs.io.
 * Source: elevenlabs-js 2.73.0 conversationalAi.agents.list.
 */
export const listElevenLabsAgents: ListAgents = (connection, fetch, extent) =>
  readPages<string>(extent, async (cursor) => {
    const query = new URLSearchParams({ page_size: String(extent.pageSize), ...(cursor !== undefined && { cursor }) });
    const page = await ask(connection, fetch, `${connection.baseUrl ?? "https://api.elevenlabs.io"}/v1/convai/agents?${query}`, Agents, {
      headers: { "xi-api-key": connection.apiKey },
    });
    return {
      listed: page.agents.map((agent) => ({ id: agent.agent_id, name: agent.name, isActive: agent.archived !== true })),
      next: page.has_more ? (page.next_cursor ?? undefined) : undefined,
    };
  });
