import { randomUUID } from "node:crypto";
import type { Vapi } from "@vapi-ai/server-sdk";
import * as z from "zod/mini";
import { CannotCall } from "./demo-file.ts";
import { send, type Exchange, type Line as PhoneLine } from "./request.ts";
import type { Ending, PhoneCall, ToolReply } from "./phone-call.ts";
import { spokenClock } from "./spoken-clock.ts";

const Results = z.object({
  results: z.tuple([
    z.object({ toolCallId: z.string(), result: z.optional(z.string()), error: z.optional(z.string()), metadata: z.optional(z.unknown()) }),
  ]),
});
const officeNumber = "+14155550123";

/** What one side said, and when, in seconds from the start of the call. */
type Line = { role: "user" | "bot"; message: string; from: number; to: number };

/**
 * A call as Vapi tells its server about it: the messages of its SDK's types, sent in its order and with the fields around
 * them that a live call has. Source: Vapi server SDK 2.0.1.
 */
export function openVapiCall(line: PhoneLine, customerNumber: string): PhoneCall {
  const callId = randomUUID();
  const orgId = randomUUID();
  const exchanges: Exchange[] = [];
  const lines: Line[] = [];
  const clock = spokenClock();
  const createdAt = new Date();

  const common = () => ({
    timestamp: Date.now(),
    call: {
      id: callId,
      orgId,
      type: "inboundPhoneCall",
      createdAt: createdAt.toISOString(),
      updatedAt: new Date().toISOString(),
      monitor: { listenUrl: `wss://phone.example/${callId}/listen`, controlUrl: `https://phone.example/${callId}/control` },
    } satisfies Vapi.Call,
    customer: { number: customerNumber } satisfies Vapi.CreateCustomerDto,
  });

  const tell = async (path: string, message: object): Promise<Exchange> => {
    const exchange = await send(line, { path, body: { message } });
    exchanges.push(exchange);
    if (exchange.status !== 200)
      throw new CannotCall(`${path} answered ${exchange.status}: ${JSON.stringify(exchange.answer)}`, { status: exchange.status });
    return exchange;
  };

  const status = (value: Vapi.ServerMessageStatusUpdateStatus, more: Partial<Vapi.ServerMessageStatusUpdate> = {}) =>
    tell("/api/vapi/server", { ...common(), type: "status-update", status: value, ...more } satisfies Vapi.ServerMessageStatusUpdate);

  return {
    callId,
    exchanges,
    async ring() {
      await status("ringing");
    },
    async pickUp() {
      await status("in-progress");
    },
    say(who, text) {
      lines.push({ role: who === "patient" ? "user" : "bot", message: text, ...clock.speak(text) });
    },
    async useTool(name, args) {
      const toolCall: Vapi.ToolCall = {
        id: `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      };
      const asked = {
        ...common(),
        type: "tool-calls",
        toolCallList: [toolCall],
        toolWithToolCallList: [{ type: "function", function: { name }, toolCall }],
      } satisfies Vapi.ServerMessageToolCalls;
      const { answer, ms } = await tell("/api/vapi/tool-call", asked);
      clock.pass(ms);
      return replyIn(answer, toolCall.id, ms);
    },
    async transfer() {
      await status("forwarding", { destination: { type: "number", number: officeNumber } });
    },
    async hangUp(ending) {
      const endedAt = new Date();
      await status("ended", { endedReason: ending.endedReason });
      await tell("/api/vapi/server", { ...common(), ...report(ending, lines, Math.round(clock.seconds()), endedAt, callId) });
    },
  };
}

const report = (
  { endedReason, summary, success, transferred }: Ending,
  lines: Line[],
  durationSeconds: number,
  endedAt: Date,
  callId: string,
) => {
  const startedMs = endedAt.getTime() - durationSeconds * 1000;
  const messages = lines.map(({ role, message, from, to }) => ({
    role,
    message,
    time: startedMs + from * 1000,
    endTime: startedMs + to * 1000,
    secondsFromStart: from,
  }));
  return {
    ...({
      type: "end-of-call-report",
      endedReason,
      startedAt: new Date(startedMs).toISOString(),
      endedAt: endedAt.toISOString(),
      cost: 0.12,
      ...(transferred ? { destination: { type: "number", number: officeNumber } } : {}),
      artifact: {
        messages,
        transcript: lines.map(({ role, message }) => `${role === "user" ? "User" : "AI"}: ${message}`).join("\n"),
        recordingUrl: `https://storage.example/${callId}-mono.wav`,
        presignedMonoUrl: `https://storage.example/${callId}-mono.wav?signature=${randomUUID()}`,
      },
      analysis: { summary, successEvaluation: String(success) },
    } satisfies Vapi.ServerMessageEndOfCallReport),
    // Live reports still carry this beside the fields of the SDK's types.
    durationSeconds,
  };
};

const replyIn = (answer: unknown, toolCallId: string, ms: number): ToolReply => {
  const { data } = z.safeParse(Results, answer);
  const [result] = data?.results ?? [];
  const speech = result?.result ?? result?.error;
  if (result?.toolCallId !== toolCallId || speech === undefined)
    throw new CannotCall(`The platform did not answer the tool call: ${JSON.stringify(answer)}`);
  return { ok: result.result !== undefined, speech, found: result.metadata, ms };
};
