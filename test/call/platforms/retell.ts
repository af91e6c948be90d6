import { randomUUID } from "node:crypto";
import Retell from "retell-sdk";
import type { LlmResponse } from "retell-sdk/resources/llm";
import * as z from "zod/mini";
import { CannotCall } from "../demo-file.ts";
import { accountOf, type Ending, type Connection, type PhoneCall } from "../phone-call.ts";
import { openWire, type Exchange } from "./request.ts";
import { spokenLines } from "../spoken-lines.ts";
import { dialedNumber, parseToolReply } from "./tool-reply.ts";

const Answering = z.object({ call_inbound: z.object({ override_agent_id: z.optional(z.string()) }) });

type Call = Retell.PhoneCallResponse;
type Utterances = NonNullable<Call["transcript_object"]>;
type ToolUse = Retell.PhoneCallResponse.ToolCallInvocationUtterance | Retell.PhoneCallResponse.ToolCallResultUtterance;
type Transfer = Pick<LlmResponse.TransferCallTool, "transfer_destination" | "transfer_option">;

/**
 * Like Retell AI: the number's inbound webhook, custom functions with the whole call, and call events, all signed by its SDK. Source:
 * retell-sdk 5.66.1, Retell's pages on webhooks.
 */
export function openRetellCall(connection: Connection): PhoneCall {
  const { caller, called, post } = connection;
  const { webhookUrl, webhookSecret, agentId: ownAgent } = accountOf(connection, "retell");
  const { origin, pathname: path } = new URL(webhookUrl);
  const wire = openWire(origin, post);
  const spoken = spokenLines();
  const uses: ToolUse[] = [];
  const { callId = `call_${randomUUID().replaceAll("-", "")}` } = connection;
  const startMs = Date.now();
  let agentId = connection.fixedAgentId ?? "";
  let destination: string | undefined;
  let routed: unknown;

  const tell = async (body: object): Promise<Exchange> =>
    wire.tell({ path, headers: { "x-retell-signature": await Retell.sign(JSON.stringify(body), webhookSecret) }, body });

  const call = (more: Partial<Call> = {}): Call => ({
    call_id: callId,
    call_type: "phone_call",
    agent_id: agentId,
    agent_version: 1,
    agent_name: "Reception",
    call_status: "ongoing",
    direction: "inbound",
    from_number: caller,
    to_number: called,
    start_timestamp: startMs,
    transcript: spoken.asText({ patient: "User", assistant: "Agent" }),
    transcript_object: utterancesOf(spoken.lines),
    transcript_with_tool_calls: [...utterancesOf(spoken.lines), ...uses],
    retell_llm_dynamic_variables: {},
    opt_in_signed_url: false,
    ...more,
  });

  const transferEvent = (event: string, number: string): Promise<Exchange> =>
    tell({
      event,
      call: call({ transfer_destination: number }),
      transfer_destination: { type: "predefined", number },
      transfer_option: { type: "cold_transfer" },
    } satisfies Transfer & { event: string; call: Call });

  const ended = (by: keyof typeof reasons): Partial<Call> & { disconnection_reason: string } => {
    const durationMs = Math.round(spoken.seconds()) * 1000;
    return {
      call_status: by === "error" ? "error" : "ended",
      disconnection_reason: destination !== undefined ? "call_transfer" : reasons[by],
      end_timestamp: startMs + durationMs,
      duration_ms: durationMs,
      call_cost: {
        combined_cost: 12,
        product_costs: [{ product: "retell_llm", cost: 12 }],
        total_duration_seconds: durationMs / 1000,
        total_duration_unit_price: 0.2,
      },
      latency: { e2e: { p50: 800, p95: 1400, max: 1500, min: 600, num: spoken.lines.length } },
      recording_url: `https://storage.example/${callId}/recording.wav`,
      public_log_url: `https://storage.example/${callId}/public.log`,
      ...(destination === undefined ? {} : { transfer_destination: destination }),
    };
  };

  return {
    callId,
    exchanges: wire.exchanges,
    async ring() {
      const asked = { ...(ownAgent === undefined ? {} : { agent_id: ownAgent }), from_number: caller, to_number: called };
      const { answer } = await tell({ event: "call_inbound", call_inbound: asked });
      const override = z.safeParse(Answering, answer).data?.call_inbound.override_agent_id;
      agentId = override ?? ownAgent ?? noAnswer(answer);
    },
    async pickUp() {
      await tell({ event: "call_started", call: call() });
    },
    say: spoken.say,
    async useTool(name, args) {
      const toolCallId = `tool_${uses.length / 2}`;
      uses.push({ role: "tool_call_invocation", tool_call_id: toolCallId, name, arguments: JSON.stringify(args) });
      const { answer, ms } = await tell({ name, call: call(), args });
      uses.push({ role: "tool_call_result", tool_call_id: toolCallId, content: JSON.stringify(answer), successful: true });
      spoken.pass(ms);
      if (name === "logRoutingEvent") routed = answer;
      return parseToolReply(answer, ms);
    },
    async transfer() {
      const number = dialedNumber(routed);
      destination = number;
      await transferEvent("transfer_started", number);
      await transferEvent("transfer_bridged", number);
    },
    async hangUp(ending) {
      if (destination !== undefined) await transferEvent("transfer_ended", destination);
      const atEnd = ended(ending.by ?? "caller");
      await tell({ event: "call_ended", call: call(atEnd) });
      await tell({ event: "call_analyzed", call: call({ ...atEnd, call_analysis: analysisOf(ending) }) });
      return atEnd.disconnection_reason;
    },
  };
}

const reasons = { caller: "user_hangup", silence: "inactivity", error: "error_llm_websocket_lost_connection" } as const;

const utterancesOf = (lines: ReturnType<typeof spokenLines>["lines"]): Utterances =>
  lines.map(({ who, text, from, to }) => ({
    role: who === "patient" ? ("user" as const) : ("agent" as const),
    content: text,
    words: [{ word: text, start: from, end: to }],
  }));

const analysisOf = ({ summary, success }: Ending): Call["call_analysis"] => ({
  call_summary: summary,
  call_successful: success,
  in_voicemail: false,
  user_sentiment: success ? "Positive" : "Neutral",
  custom_analysis_data: {},
});

const noAnswer = (answer: unknown): never => {
  throw new CannotCall(`No agent answers this number: ${JSON.stringify(answer)}`);
};
