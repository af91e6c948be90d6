import { randomUUID } from "node:crypto";
import type { Vapi } from "@vapi-ai/server-sdk";
import * as z from "zod/mini";
import { CannotCall } from "../demo-file.ts";
import type { Connection, Ending, PhoneCall, ToolReply } from "../phone-call.ts";
import { seenByVapiModel } from "../../kit/vapi-model.ts";
import { byKey, openWire, type Exchange } from "./request.ts";
import { spokenLines, type SpokenLines } from "../spoken-lines.ts";

const Results = z.object({
  results: z.tuple([z.object({ toolCallId: z.string(), result: z.optional(z.string()), error: z.optional(z.string()) })]),
});

const Transfer = z.object({ destination: z.object({ number: z.string(), numberE164CheckEnabled: z.optional(z.boolean()) }) });

const Answering = z.object({ assistantId: z.optional(z.string()), error: z.optional(z.string()) });

/**
 * Like Vapi: the SDK's server messages in its order, with the additional fields of live calls. Where the tenant has an account, the
 * number has no assistant and the server is asked for one. Source: Vapi server SDK 2.0.1.
 */
export function openVapiCall({
  origin,
  apiKey,
  caller,
  called,
  account,
  fixedAgentId,
  callId = randomUUID(),
  post,
}: Connection): PhoneCall {
  const orgId = randomUUID();
  const wire = openWire(origin, post);
  const spoken = spokenLines();
  const createdAt = new Date().toISOString();
  let assistantId = fixedAgentId;
  let destination: Destination | undefined;
  const toolCalls: Vapi.ToolCall[] = [];

  const common = () => ({
    timestamp: Date.now(),
    call: {
      id: callId,
      orgId,
      type: "inboundPhoneCall",
      createdAt,
      updatedAt: new Date().toISOString(),
      ...(assistantId === undefined ? {} : { assistantId }),
      monitor: { listenUrl: `wss://phone.example/${callId}/listen`, controlUrl: `https://phone.example/${callId}/control` },
    } satisfies Vapi.Call,
    customer: { number: caller } satisfies Vapi.CreateCustomerDto,
    phoneNumber: { provider: "vapi" as const, number: called },
  });

  const tell = (path: string, message: object): Promise<Exchange> => wire.tell({ path, headers: byKey(apiKey), body: { message } });

  const status = (value: Vapi.ServerMessageStatusUpdateStatus, more: Partial<Vapi.ServerMessageStatusUpdate> = {}) =>
    tell("/api/vapi/server", { ...common(), type: "status-update", status: value, ...more } satisfies Vapi.ServerMessageStatusUpdate);

  return {
    callId,
    exchanges: wire.exchanges,
    async ring() {
      if (account) {
        const asked = { ...common(), type: "assistant-request" } satisfies Vapi.ServerMessageAssistantRequest;
        assistantId = assistantIn((await tell("/api/vapi/server", asked)).answer);
      }
      await status("ringing");
    },
    async pickUp() {
      await status("in-progress");
    },
    say: spoken.say,
    async useTool(name, args) {
      const toolCall: Vapi.ToolCall = {
        id: `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`,
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      };
      toolCalls.push(toolCall);
      const asked = {
        ...common(),
        type: "tool-calls",
        toolCallList: [toolCall],
        toolWithToolCallList: [{ type: "function", function: { name }, toolCall }],
      } satisfies Vapi.ServerMessageToolCalls;
      const { answer, ms } = await tell("/api/vapi/tool-call", asked);
      spoken.pass(ms);
      return resultIn(answer, toolCall.id, ms);
    },
    async transfer() {
      const asked = {
        ...common(),
        type: "transfer-destination-request",
        artifact: {
          messages: [
            {
              role: "tool_calls",
              time: Date.now(),
              secondsFromStart: spoken.seconds(),
              message: "",
              toolCalls: toolCalls.map((one) => ({ ...one })),
            },
          ],
        },
      } satisfies Vapi.ServerMessageTransferDestinationRequest;
      const number = destinationIn((await tell("/api/vapi/server", asked)).answer);
      destination = { type: "number", number };
      await status("forwarding", { destination });
    },
    async hangUp(ending) {
      const endedReason = destination ? "assistant-forwarded-call" : reasons[ending.by ?? "caller"];
      await status("ended", { endedReason });
      await tell("/api/vapi/server", { ...common(), ...report(ending, { spoken, destination, endedReason, callId }) });
      return endedReason;
    },
  };
}

const reasons = {
  caller: "customer-ended-call",
  silence: "silence-timed-out",
  error: "call.in-progress.error-pipeline-no-available-llm-model",
} as const;

/** Throws CannotCall with the error that the caller hears when no assistant answers. */
const assistantIn = (answer: unknown): string => {
  const { assistantId, error } = z.safeParse(Answering, answer).data ?? {};
  if (assistantId === undefined)
    throw new CannotCall(`No assistant answers this number: ${error === undefined ? JSON.stringify(answer) : `"${error}"`}`);
  return assistantId;
};

/** Throws CannotCall when our server names no number, or one that Vapi does not dial. */
const destinationIn = (answer: unknown): string => {
  const { number = "", numberE164CheckEnabled = true } = z.safeParse(Transfer, answer).data?.destination ?? {};
  if (number === "" || (numberE164CheckEnabled && !/^\+[1-9]\d{6,14}$/.test(number)))
    throw new CannotCall(`Vapi has no number to dial: ${JSON.stringify(answer)}`);
  return number;
};

type Destination = Vapi.ServerMessageStatusUpdateDestination & Vapi.ServerMessageEndOfCallReportDestination;
type Told = { spoken: SpokenLines; destination?: Destination; endedReason: Vapi.ServerMessageEndOfCallReportEndedReason; callId: string };

const report = ({ summary, success }: Ending, { spoken, destination, endedReason, callId }: Told) => {
  const durationSeconds = Math.round(spoken.seconds());
  const endedMs = Date.now();
  const startedMs = endedMs - durationSeconds * 1000;
  const messages = spoken.lines.map(({ who, text, from, to }) => ({
    role: who === "patient" ? "user" : "bot",
    message: text,
    time: startedMs + from * 1000,
    endTime: startedMs + to * 1000,
    secondsFromStart: from,
  }));
  return {
    ...({
      type: "end-of-call-report",
      endedReason,
      startedAt: new Date(startedMs).toISOString(),
      endedAt: new Date(endedMs).toISOString(),
      cost: 0.12,
      ...(destination ? { destination } : {}),
      artifact: {
        messages,
        transcript: spoken.asText({ patient: "User", assistant: "AI" }),
        performanceMetrics: { turnLatencies: [{ turnLatency: 800 }, { turnLatency: 1400 }] },
        recordingUrl: `https://storage.example/${callId}-mono.wav`,
        presignedMonoUrl: `https://storage.example/${callId}-mono.wav?signature=${randomUUID()}`,
      },
      analysis: { summary, successEvaluation: String(success) },
    } satisfies Vapi.ServerMessageEndOfCallReport),
    durationSeconds,
  };
};

const resultIn = (answer: unknown, toolCallId: string, ms: number): ToolReply => {
  const [result] = z.safeParse(Results, answer).data?.results ?? [];
  const line = result?.result ?? result?.error;
  if (result?.toolCallId !== toolCallId || line === undefined)
    throw new CannotCall(`The platform did not answer the tool call: ${JSON.stringify(answer)}`);
  const { speech, data } = seenByVapiModel(line);
  return { ok: result.result !== undefined, speech, found: data, ms };
};
