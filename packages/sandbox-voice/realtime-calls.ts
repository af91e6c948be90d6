import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { jsonIn, refusal, type Reply } from "./platforms.ts";

const Tool = z.looseObject({
  type: z.enum(["mcp", "function"]),
  server_label: z.optional(z.string()),
  server_url: z.optional(z.url()),
  authorization: z.optional(z.string()),
});
const anything = z.optional(z.unknown());

/** Unknown parameters are refused, as at OpenAI. Source: openai 7.55.0 CallAcceptParams. */
const Session = z.strictObject({
  type: z.literal("realtime"),
  model: z.optional(z.string()),
  instructions: z.optional(z.string()),
  tools: z.optional(z.array(Tool)),
  audio: anything,
  include: anything,
  max_output_tokens: anything,
  output_modalities: anything,
  parallel_tool_calls: anything,
  prompt: anything,
  reasoning: anything,
  tool_choice: anything,
  tracing: anything,
  truncation: anything,
});
const Responses = z.strictObject({
  type: z.literal("responses"),
  responses: z.looseObject({ model: z.string(), instructions: z.optional(z.string()), tools: z.optional(z.array(Tool)) }),
});

/** Source: openai 7.55.0 SessionAcceptParams. */
const LiveSession = z.strictObject({
  session: z.strictObject({
    type: z.literal("live"),
    model: z.string().check(z.startsWith("gpt-live")),
    instructions: z.optional(z.string()),
    audio: anything,
    delegation: z.optional(Responses),
    input: anything,
    store: anything,
    triggers: anything,
  }),
});

const Rejection = z.strictObject({ status_code: z.optional(z.int()) });
const Command = z.strictObject({ type: z.literal("response.create"), response: anything });
const Referral = z.strictObject({ target_uri: z.string().check(z.regex(/^(tel:[+\d]|sips?:\S)\S*$/)) });

type State = "ringing" | "accepted" | "rejected" | "referred" | "ended";
type AnySession = z.infer<typeof Session> | z.infer<typeof LiveSession>["session"];
export type RealtimeCall = { state: State; session?: AnySession; target?: string; greeted?: true };
export type CallApi = "realtime" | "live";
export type RealtimeCalls = {
  /** An incoming call at the account with this API key; without a key any account may take it. Returns its id. */
  ring(key?: string, api?: CallApi): string;
  /** `response.create` on the call's own WebSocket; false for any other message. */
  greet(id: string, message: unknown): boolean;
  find(id: string): RealtimeCall | undefined;
  /** `POST /v1/realtime/calls/{id}/{verb}`, `POST /v1/live/sessions/{id}/{verb}`; 404 for another account's call and one that is over. */
  change(key: string, id: string, verb: string, body: string): Reply;
};

const done: Reply = { status: 200, body: {} };
const wrong = (): Reply => refusal("openai", 400, "Unknown parameter or value");

const prefixes = { realtime: "rtc", live: "live" } as const;
const isLive = (id: string): boolean => id.startsWith(`${prefixes.live}_`);
/** A referred call can still be hung up until the carrier has taken it over. */
const over: Record<string, readonly State[]> = { refer: ["rejected", "referred", "ended"], hangup: ["rejected", "ended"] };

/** Source: openai 7.55.0 realtime.calls, live.sessions. */
export function createRealtimeCalls(): RealtimeCalls {
  const calls = new Map<string, RealtimeCall>();
  const owners = new Map<string, string>();
  const verbs: Record<string, (call: RealtimeCall, body: unknown, id: string) => RealtimeCall | undefined> = {
    accept(call, body, id) {
      const session = isLive(id) ? z.safeParse(LiveSession, body).data?.session : z.safeParse(Session, body).data;
      return session && call.state === "ringing" ? { state: "accepted", session } : undefined;
    },
    reject: (call, body) => (call.state === "ringing" && z.safeParse(Rejection, body ?? {}).success ? { state: "rejected" } : undefined),
    refer(call, body) {
      const { data } = z.safeParse(Referral, body);
      return data && call.state === "accepted" ? { ...call, state: "referred", target: data.target_uri } : undefined;
    },
    hangup: (call) => (call.state !== "ringing" ? { ...call, state: "ended" } : undefined),
  };
  return {
    ring(key, api = "realtime") {
      const id = `${prefixes[api]}_${randomUUID().replaceAll("-", "")}`;
      calls.set(id, { state: "ringing" });
      if (key !== undefined) owners.set(id, key);
      return id;
    },
    greet(id, message) {
      const call = calls.get(id);
      if (!call || !z.safeParse(Command, message).success) return false;
      calls.set(id, { ...call, greeted: true });
      return true;
    },
    find: (id) => calls.get(id),
    change(key, id, verb, body) {
      const call = (owners.get(id) ?? key) === key ? calls.get(id) : undefined;
      if (!call) return refusal("openai", 404, "No such call");
      if (over[verb]?.includes(call.state)) return refusal("openai", 404, "The call is over");
      const changed = verbs[verb]?.(call, jsonIn(body), id);
      if (!changed) return wrong();
      calls.set(id, changed);
      return done;
    },
  };
}
