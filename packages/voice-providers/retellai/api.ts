import * as z from "zod/mini";
import { readPages, type ListAgents } from "../transport/agent-pages.ts";
import { ask } from "../transport/request.ts";

const Agents = z.object({
  items: z.array(z.object({ agent_id: z.string(), agent_name: z.optional(z.nullable(z.string())) })),
  has_more: z.optional(z.boolean()),
  pagination_key: z.optional(z.nullable(z.string())),
});
const voiceAgents = JSON.stringify({ filter_criteria: { channel: { type: "string", op: "eq", value: "voice" } } });

/** Retell's voice agents: `POST /v2/list-agents`, paged by `pagination_key`. Source: retell-sdk 5.66.1 agent.list; the GET before it is gone. */
export const listRetellAgents: ListAgents = (connection, fetch, extent) =>
  readPages<string>(extent, async (paginationKey) => {
    const query = new URLSearchParams({
      limit: String(extent.pageSize),
      ...(paginationKey !== undefined && { pagination_key: paginationKey }),
    });
    const page = await ask(connection, fetch, `${connection.baseUrl ?? "https://api.retellai.com"}/v2/list-agents?${query}`, Agents, {
      method: "POST",
      headers: { Authorization: `Bearer ${connection.apiKey}`, "Content-Type": "application/json" },
      body: voiceAgents,
    });
    return {
      listed: page.items.map((agent) => ({ id: agent.agent_id, name: agent.agent_name })),
      next: page.has_more ? (page.pagination_key ?? undefined) : undefined,
    };
  });
