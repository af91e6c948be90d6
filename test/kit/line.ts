import { randomUUID } from "node:crypto";
import { keys } from "@vitaline/store";
import type { Answer, Api } from "./api.ts";
import { seenByVapiModel } from "./vapi-model.ts";

export type Caller = { given: string; family: string; birthDate: string; phone: string };
export type ToolResult = {
  status: number;
  requestId: string;
  ok: boolean;
  speech: string;
  /** A voice platform drops a result of more than one line. */
  lines: number;
  found: Found;
  text: string;
};
type Found =
  | { result?: string; slots?: { slotId: string; start: string }[]; appointment?: { appointmentId: string }; verified?: boolean }
  | undefined;
type Results = { results?: { result?: string; error?: string }[] };

export type Line = {
  callId: string;
  callKey: string;
  tell(message: object): Promise<Answer<unknown>>;
  useTool(name: string, args: object, toolCallId?: string): Promise<ToolResult>;
  verify(): Promise<ToolResult>;
  find(): Promise<ToolResult>;
  book(slotId: string, toolCallId?: string): Promise<ToolResult>;
  end(report?: object): Promise<Answer<unknown>>;
};

export function openLine(api: Api, key: string, caller: Caller, callId: string = randomUUID()): Line {
  const startedAt = new Date();
  const send = <T>(path: string, message: object): Promise<Answer<T>> =>
    api<T>("POST", path, {
      key,
      body: {
        message: { timestamp: Date.now(), call: { id: callId, type: "inboundPhoneCall" }, customer: { number: caller.phone }, ...message },
      },
    });

  const useTool: Line["useTool"] = async (name, args, toolCallId = `call_${randomUUID()}`) => {
    const toolCallList = [{ id: toolCallId, type: "function", function: { name, arguments: JSON.stringify(args) } }];
    const { status, headers, json, text } = await send<Results | undefined>("/api/vapi/tool-call", { type: "tool-calls", toolCallList });
    const [first] = json?.results ?? [];
    const line = first?.result ?? first?.error ?? "";
    const { speech, data: found } = seenByVapiModel(line) as { speech: string; data?: Found };
    const requestId = headers.get("x-request-id") ?? "";
    return { status, requestId, ok: first?.result !== undefined, speech, lines: line.split("\n").length, found, text };
  };

  return {
    callId,
    callKey: keys.callKeyOf("vapi", callId),
    tell: (message) => send("/api/vapi/server", message),
    useTool,
    verify: () => {
      const { given, family, birthDate, phone } = caller;
      return useTool("verifyPatientIdentity", { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone });
    },
    find: () => useTool("scheduleAppointment", { action: "find" }),
    book: (slotId, toolCallId) => useTool("scheduleAppointment", { action: "book", slotId }, toolCallId),
    end: (report = {}) =>
      send("/api/vapi/server", {
        type: "end-of-call-report",
        endedReason: "customer-ended-call",
        startedAt: startedAt.toISOString(),
        endedAt: new Date().toISOString(),
        artifact: { transcript: "AI: Goodbye.", messages: [] },
        analysis: { summary: "The caller was helped.", successEvaluation: "true" },
        ...report,
      }),
  };
}
