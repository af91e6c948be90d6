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
const Rejection = z.strictObject({ status_code: z.optional(z.int()) });
const Referral = z.strictObject({ target_uri: z.string() });

type State = "ringing" | "accepted" | "rejected" | "referred" | "ended";
export type RealtimeCall = { state: State; session?: z.infer<typeof Session>; target?: string };
export type RealtimeCalls = {
  /** An incoming call at the account with this API key; without a key any account may take it. Returns its id. */
  ring(key?: string): string;
  find(id: string): RealtimeCall | undefined;
  /** `POST /v1/realtime/calls/{id}/{verb}`; 404 for another account's call. */
  change(key: string, id: string, verb: string, body: string): Reply;
};

const done: Reply = { status: 200, body: {} };
const wrong = (): Reply => refusal("openai", 400, "Unknown parameter or value");

/** Source: openai 7.55.0 realtime.calls. */
export function createRealtimeCalls(): RealtimeCalls {
  const calls = new Map<string, RealtimeCall>();
  const owners = new Map<string, string>();
  const verbs: Record<string, (call: RealtimeCall, body: unknown) => RealtimeCall | undefined> = {
    accept(call, body) {
      const { data: session } = z.safeParse(Session, body);
      return session && call.state === "ringing" ? { state: "accepted", session } : undefined;
    },
    reject: (call, body) => (call.state === "ringing" && z.safeParse(Rejection, body ?? {}).success ? { state: "rejected" } : undefined),
    refer(call, body) {
      const { data } = z.safeParse(Referral, body);
      return data && call.state === "accepted" ? { ...call, state: "referred", target: data.target_uri } : undefined;
    },
    hangup: (call) => ({ ...call, state: "ended" }),
  };
  return {
    ring(key) {
      const id = `rtc_${randomUUID().replaceAll("-", "")}`;
      calls.set(id, { state: "ringing" });
      if (key !== undefined) owners.set(id, key);
      return id;
    },
    find: (id) => calls.get(id),
    change(key, id, verb, body) {
      const call = (owners.get(id) ?? key) === key ? calls.get(id) : undefined;
      if (!call) return refusal("openai", 404, "No such call");
      const changed = verbs[verb]?.(call, jsonIn(body));
      if (!changed) return wrong();
      calls.set(id, changed);
      return done;
    },
  };
}
