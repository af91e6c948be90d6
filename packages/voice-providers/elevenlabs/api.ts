import { AppError } from "@vitaline/core";
import type { OutboundFetch } from "@vitaline/outbound";
import * as z from "zod/mini";
import { id, object, unixInstant, enumWord } from "../decoding/fields.ts";
import { readPages, type ListAgents } from "../transport/agent-pages.ts";
import { requestJson, type Connection } from "../transport/request.ts";

export type ListedConversation = { conversationId: string; agentId: string; status: string; startedAt: string };
type ConversationPage = { conversations: ListedConversation[]; next?: string };

/** The most rows of one batchGet. */
const perPage = 100;

const Page = z.object({
  conversations: z
    .array(object({ conversation_id: id, agent_id: id, status: enumWord, start_time_unix_secs: unixInstant }))
    .check(z.maxLength(perPage)),
  has_more: z.boolean(),
  next_cursor: z._default(z.nullable(z.string()), null),
});

const urlOf = ({ baseUrl = "https://api.elevenlabs.io" }: Connection, path: string): string => `${baseUrl}/v1/convai/${path}`;
const authorization = ({ apiKey }: Connection) => ({ headers: { "xi-api-key": apiKey } });

/**
 * Conversations that started after `after`, oldest first, one page. AppErrors as ListAgents. Source: elevenlabs-js 2.73.0
 * conversationalAi.conversations.list.
 */
export async function listConversations(
  connection: Connection,
  fetch: OutboundFetch,
  { after, cursor }: { after: Date; cursor?: string | undefined },
): Promise<ConversationPage> {
  const query = new URLSearchParams({
    call_start_after_unix: String(Math.floor(after.getTime() / 1000)),
    page_size: String(perPage),
    summary_mode: "exclude",
    sort_direction: "asc",
    ...(cursor !== undefined && { cursor }),
  });
  const page = await requestJson(connection, fetch, urlOf(connection, `conversations?${query}`), Page, authorization(connection));
  const conversations = page.conversations.flatMap((each): ListedConversation[] =>
    each?.conversation_id && each.agent_id && each.status && each.start_time_unix_secs
      ? [{ conversationId: each.conversation_id, agentId: each.agent_id, status: each.status, startedAt: each.start_time_unix_secs }]
      : [],
  );
  const next = page.has_more ? page.next_cursor : undefined;
  // An unreadable page must not count as read.
  if (next === null || next === "" || (conversations.length === 0 && page.conversations.length > 0)) throw unreadable();
  return { conversations, ...(next === undefined ? {} : { next }) };
}

const unreadable = () => new AppError("voice_platform_invalid", "The platform returned an unreadable list of conversations.");

/** The body for decodeCallEvent. AppErrors as ListAgents. */
export const getConversation = (connection: Connection, fetch: OutboundFetch, conversationId: string): Promise<unknown> =>
  requestJson(
    connection,
    fetch,
    urlOf(connection, `conversations/${encodeURIComponent(conversationId)}`),
    z.unknown(),
    authorization(connection),
  );

const Agents = z.object({
  agents: z.array(
    z.object({ agent_id: z.string(), name: z.optional(z.nullable(z.string())), archived: z.optional(z.nullable(z.boolean())) }),
  ),
  has_more: z.optional(z.boolean()),
  next_cursor: z.optional(z.nullable(z.string())),
});

/**
 * `GET /v1/convai/agents`, paged by `next_cursor`; archived agents are inactive. Workspaces in other regions have their own base
 * URL, such as https://api.eu.residency.elevenlabs.io. Source: elevenlabs-js 2.73.0 conversationalAi.agents.list.
 */
export const listAgents: ListAgents = (connection, fetch, extent) =>
  readPages<string>(extent, async (cursor) => {
    const query = new URLSearchParams({ page_size: String(extent.pageSize), ...(cursor !== undefined && { cursor }) });
    const page = await requestJson(connection, fetch, urlOf(connection, `agents?${query}`), Agents, authorization(connection));
    return {
      listed: page.agents.map((agent) => ({ id: agent.agent_id, name: agent.name, isActive: agent.archived !== true })),
      next: page.has_more ? (page.next_cursor ?? undefined) : undefined,
    };
  });
