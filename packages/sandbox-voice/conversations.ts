import * as z from "zod/mini";
import { pageOf } from "./page.ts";
import { refusal, type Call, type Reply } from "./platforms.ts";

const Conversation = z.looseObject({
  conversation_id: z.string(),
  agent_id: z.string(),
  agent_name: z.nullish(z.string()),
  status: z.enum(["initiated", "in-progress", "processing", "done", "failed"]),
  transcript: z.array(z.unknown()),
  metadata: z.looseObject({ start_time_unix_secs: z.number(), call_duration_secs: z.number() }),
  analysis: z.nullish(z.looseObject({ call_successful: z.string(), transcript_summary: z.string() })),
});
type Conversation = z.infer<typeof Conversation>;

export type Conversations = { put(key: string, given: unknown): boolean; list(call: Call): Reply; get(key: string, id: string): Reply };

const summaryOf = ({ conversation_id, agent_id, agent_name, status, transcript, metadata, analysis }: Conversation) => ({
  conversation_id,
  agent_id,
  agent_name: agent_name ?? null,
  start_time_unix_secs: metadata.start_time_unix_secs,
  call_duration_secs: metadata.call_duration_secs,
  message_count: transcript.length,
  status,
  call_successful: analysis?.call_successful ?? "unknown",
  transcript_summary: analysis?.transcript_summary ?? null,
});

/** `GET /v1/convai/conversations`, newest first, and each by id. Source: elevenlabs-js 2.73.0 conversationalAi.conversations. */
export function createConversations(): Conversations {
  const accounts = new Map<string, Map<string, Conversation>>();
  const heldBy = (key: string) => accounts.get(key) ?? new Map<string, Conversation>();
  const startOf = ({ metadata }: Conversation): number => metadata.start_time_unix_secs;
  return {
    put(key, given) {
      const { data } = z.safeParse(Conversation, given);
      if (data) accounts.set(key, heldBy(key).set(data.conversation_id, data));
      return data !== undefined;
    },
    list(call) {
      const { query, key } = call;
      const bound = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise);
      const agentId = query.get("agent_id");
      const found = [...heldBy(key).values()]
        .filter(
          (one) =>
            (agentId === null || one.agent_id === agentId) &&
            startOf(one) >= bound("call_start_after_unix", 0) &&
            startOf(one) <= bound("call_start_before_unix", Number.POSITIVE_INFINITY),
        )
        .toSorted((a, b) => startOf(b) - startOf(a));
      const { items, next } = pageOf(found, call, "page_size", "cursor");
      return { status: 200, body: { conversations: items.map(summaryOf), has_more: next !== undefined, next_cursor: next ?? null } };
    },
    get(key, id) {
      const conversation = heldBy(key).get(id);
      return conversation ? { status: 200, body: conversation } : refusal("elevenlabs", 404, "No such conversation");
    },
  };
}
