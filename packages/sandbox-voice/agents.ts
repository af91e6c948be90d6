import { faultOf } from "./faults.ts";
import { pageOf } from "./page.ts";
import type { Call, Reply } from "./platforms.ts";

/** Must not appear in any answer of the platform. */
export const prompt = "You are the receptionist; the door code is 4711.";

const idOf = (index: number): string => `agent-${index}`;
const nameOf = (index: number): string => `Agent ${index}`;
const createdAt = (index: number): string => new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 2) * 60_000).toISOString();
const newestFirst = (count: number): number[] => Array.from({ length: count }, (_, index) => count - 1 - index);
const models = ["gpt-realtime-2", "gpt-4o", "gpt-realtime-mini"];

/** `GET /assistant`: a bare array, newest first, without a cursor. Source: Vapi server SDK 2.0.1 assistants.list. */
export function vapiAssistants({ query, key }: Call, count: number): Reply {
  const until = query.get("createdAtLe");
  const body = newestFirst(count)
    .filter((index) => faultOf(key) === "repeating" || until === null || Date.parse(createdAt(index)) <= Date.parse(until))
    .slice(0, Number(query.get("limit") ?? 100))
    .map((index) => ({
      id: idOf(index),
      orgId: "org",
      name: nameOf(index),
      createdAt: createdAt(index),
      updatedAt: createdAt(index),
      model: { provider: "openai", model: "gpt-4o", messages: [{ role: "system", content: prompt }] },
      server: { url: "https://clinic.example", headers: { authorization: prompt } },
    }));
  return { status: 200, body };
}

/** `POST /v2/list-agents`. Source: retell-sdk 5.66.1 agent.list. */
export function retellAgents(call: Call, count: number): Reply {
  if (!call.body.includes(`"value":"voice"`)) return { status: 404 };
  const { items, next } = pageOf(newestFirst(count), call, "limit", "pagination_key");
  const agents = items.map((index) => ({
    agent_id: idOf(index),
    agent_name: nameOf(index),
    channel: "voice",
    tags: { prompt },
    user_modified_timestamp: Date.parse(createdAt(index)),
  }));
  return { status: 200, body: { items: agents, has_more: next !== undefined, ...(next ? { pagination_key: next } : {}) } };
}

/** `GET /v1/convai/agents`; the oldest agent is archived. Source: elevenlabs-js 2.73.0 conversationalAi.agents.list. */
export function elevenLabsAgents(call: Call, count: number): Reply {
  const { items, next } = pageOf(newestFirst(count), call, "page_size", "cursor");
  const agents = items.map((index) => ({
    agent_id: idOf(index),
    name: nameOf(index),
    voice_id: "voice-1",
    archived: index === 0,
    tags: [prompt],
    created_at_unix_secs: Date.parse(createdAt(index)) / 1000,
    access_info: { is_creator: true, creator_name: "Desk", creator_email: "desk@clinic.example", role: "admin" },
  }));
  return { status: 200, body: { agents, has_more: next !== undefined, next_cursor: next ?? null } };
}

/** `GET /models`. Source: openai 7.55.0 models.list. */
export const openAiModels = (): Reply => ({
  status: 200,
  body: { object: "list", data: models.map((id) => ({ id, object: "model", created: 1, owned_by: "x" })) },
});
