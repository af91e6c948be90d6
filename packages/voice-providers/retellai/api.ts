import * as z from "zod/mini";
import { type ListAgents, readPages } from "../transport/agent-pages.ts";
import { requestJson } from "../transport/request.ts";

const AgentPage = z.object({
  items: z.array(z.object({ agent_id: z.string(), agent_name: z.optional(z.nullable(z.string())) })),
  has_more: z.optional(z.boolean()),
  pagination_key: z.optional(z.nullable(z.string())),
});

const voiceAgentsFilter = JSON.stringify({ filter_criteria: { channel: { type: "string", op: "eq", value: "voice" } } });

/** `POST /v2/list-agents`, paged by `pagination_key`. Source: retell-sdk 5.66.1 agent.list, which replaced the GET. */
export const listAgents: ListAgents = (connection, fetch, extent) =>
  readPages<string>(extent, async (paginationKey) => {
    const query = new URLSearchParams({
      limit: String(extent.pageSize),
      ...(paginationKey !== undefined && { pagination_key: paginationKey }),
    });
    const url = `${connection.baseUrl ?? "https://api.retellai.com"}/v2/list-agents?${query}`;
    const page = await requestJson(connection, fetch, url, AgentPage, {
      method: "POST",
      headers: { Authorization: `Bearer ${connection.apiKey}`, "Content-Type": "application/json" },
      body: voiceAgentsFilter,
    });
    return {
      listed: page.items.map((agent) => ({ id: agent.agent_id, name: agent.agent_name })),
      next: page.has_more ? (page.pagination_key ?? undefined) : undefined,
    };
  });
