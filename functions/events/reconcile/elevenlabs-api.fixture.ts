import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { GetConversationResponseModel } from "@elevenlabs/elevenlabs-js/serialization/types/GetConversationResponseModel.js";
import type { GetConversationsPageResponseModel } from "@elevenlabs/elevenlabs-js/serialization/types/GetConversationsPageResponseModel.js";

export type Conversation = GetConversationResponseModel.Raw;
type Page = GetConversationsPageResponseModel.Raw;

/** The conversation, which must not be logged. */
export const said = "My name is Jane Roe.";

/** A conversation of one minute. */
export const conversation = (id: string, startSeconds: number, more: Partial<Conversation> = {}): Conversation => ({
  agent_id: "agent_1",
  conversation_id: id,
  status: "done",
  has_audio: true,
  has_user_audio: true,
  has_response_audio: true,
  has_auxiliary_audio: false,
  transcript: [{ role: "user", message: said, time_in_call_secs: 1 }],
  metadata: { start_time_unix_secs: startSeconds, call_duration_secs: 60, cost_fiat: 0.05, termination_reason: "Client disconnected" },
  analysis: { call_successful: "success", transcript_summary: `They said: ${said}` },
  ...more,
});

export type ElevenLabsApi = {
  origin: string;
  /** API key → conversations. */
  conversations: Map<string, Conversation[]>;
  asked: { key: string; path: string; query: URLSearchParams }[];
  /** The page size, and the order of the list regardless of the query. */
  pageSize: number;
  order: "asc" | "desc";
  /** Replaces the usual answer when it returns true. */
  fault?: ((asked: { key: string; path: string; query: URLSearchParams }, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
};

const listed = ({ agent_id, conversation_id, status, metadata, analysis, transcript }: Conversation): Page["conversations"][number] => ({
  agent_id,
  conversation_id,
  status,
  start_time_unix_secs: metadata.start_time_unix_secs,
  call_duration_secs: metadata.call_duration_secs,
  message_count: transcript.length,
  call_successful: analysis?.call_successful ?? "unknown",
});

/** A local server with ElevenLabs' two conversation endpoints. */
export async function startElevenLabsApi(): Promise<ElevenLabsApi> {
  const here: ElevenLabsApi = { origin: "", conversations: new Map(), asked: [], pageSize: 100, order: "asc", close: async () => {} };
  const page = (key: string, query: URLSearchParams): Page => {
    const after = Number(query.get("call_start_after_unix"));
    const all = (here.conversations.get(key) ?? [])
      .filter(({ metadata }) => metadata.start_time_unix_secs > after)
      .toSorted((a, b) => (a.metadata.start_time_unix_secs - b.metadata.start_time_unix_secs) * (here.order === "asc" ? 1 : -1));
    const from = Number(query.get("cursor") ?? 0);
    const to = from + Math.min(here.pageSize, Number(query.get("page_size")));
    const hasMore = to < all.length;
    return { conversations: all.slice(from, to).map(listed), has_more: hasMore, next_cursor: hasMore ? String(to) : null };
  };
  const server = createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://x");
    const key = String(request.headers["xi-api-key"]);
    const asked = { key, path, query };
    here.asked.push(asked);
    if (here.fault?.(asked, response)) return;
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    if (!here.conversations.has(key)) return void answer(401, { detail: { status: "invalid_api_key", message: said } });
    if (path === "/v1/convai/conversations") return void answer(200, page(key, query));
    const found = here.conversations.get(key)?.find(({ conversation_id }) => path === `/v1/convai/conversations/${conversation_id}`);
    answer(found ? 200 : 404, found ?? { detail: { status: "not_found", message: said } });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  here.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  here.close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return here;
}
