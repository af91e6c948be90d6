import type { Vapi } from "@vapi-ai/server-sdk";
import { VapiToolResults } from "@vitaline/contract";
import { isAppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import type { ToolAnswer } from "@vitaline/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { vapi } from "./adapter.ts";

const request = (ids: string[], call: object | undefined = { id: "call-a" }) =>
  vapi.decodeToolCalls({ message: { type: "tool-calls", call, toolCallList: ids.map((id) => ({ id, name: "getPatientInfo" })) } })!;

describe("Vapi's tool results", () => {
  it("name each tool call once, in the order asked, as Vapi's own types have it", () => {
    const answers: ToolAnswer[] = [
      { ok: true, speech: "You are booked.", output: { appointmentId: "a-1" } },
      { ok: false, code: "ehr_unavailable", speech: "I can't reach the schedule." },
    ];
    const expected: Vapi.ServerMessageResponseToolCalls = {
      results: [
        {
          toolCallId: "t1",
          name: "getPatientInfo",
          result: '{"speech":"You are booked.","data":{"appointmentId":"a-1"}}',
          metadata: { appointmentId: "a-1" },
        },
        { toolCallId: "t2", name: "getPatientInfo", error: "I can't reach the schedule." },
      ],
    };
    expect(vapi.encodeResults(request(["t1", "t2"]), answers)).toEqual(expected);
  });

  it("are one line each for any tool answer", () => {
    const speech = fc
      .array(fc.constantFrom("Monday", " ", "\n", "\r\n", "\t", "\u2028", "\u0085", "{", "é"))
      .map((parts) => parts.join(""));
    const output = fc.constantFrom<unknown>(undefined, null, "text", ["list"], { slots: [] });
    fc.assert(
      fc.property(fc.array(fc.record({ ok: fc.boolean(), speech, output }), { minLength: 1, maxLength: 5 }), (answers) => {
        const ids = answers.map((_, index) => `t${index}`);
        const { results } = z.parse(VapiToolResults, vapi.encodeResults(request(ids), answers));
        expect(results.map(({ toolCallId }) => toolCallId)).toEqual(ids);
        expect(results.map(({ result }) => result !== undefined)).toEqual(answers.map(({ ok }) => ok));
        for (const { result, error } of results) expect(result ?? error).not.toMatch(/[\n\r\u2028]/u);
      }),
    );
  });

  it("say why nothing was done for a request that names no call", () => {
    expect(vapi.encodeResults(request(["t1"], {}), [])).toEqual({
      results: [
        {
          toolCallId: "t1",
          name: "getPatientInfo",
          error: "I can't tell which call this is, so I can't do that right now.",
        },
      ],
    });
  });

  it("are one plain result in the older form, also when the tool failed", () => {
    const older = vapi.decodeToolCalls({
      message: { type: "function-call", call: { id: "call-a" }, functionCall: { name: "getPatientInfo", parameters: {} } },
    })!;
    expect(vapi.encodeResults(older, [{ ok: true, speech: "Done." }])).toEqual({ result: "Done." });
    expect(vapi.encodeResults(older, [{ ok: false, speech: "I can't do that." }])).toEqual({ result: "I can't do that." });
  });
});

const call: Vapi.Call = { id: "call-a", orgId: "org", createdAt: "2026-11-20T10:00:00Z", updatedAt: "2026-11-20T10:00:00Z" };
const args = { action: "find", date: "2026-11-23" };
const asked = (id: string, name = "scheduleAppointment"): Vapi.ToolCall => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(args) },
});
const decoded = (message: object) => vapi.decodeToolCalls({ message });
const sent = JSON.stringify(args);
const only = (message: object) => decoded({ type: "tool-calls", call, ...message })?.calls[0];
const expected = {
  platform: "vapi",
  callId: "call-a",
  callKey: keys.callKeyOf("vapi", "call-a"),
  toolCallId: "t1",
  name: "scheduleAppointment",
  args: sent,
};

describe("Vapi's tool calls", () => {
  it("are read from a message of Vapi's own types", () => {
    const message: Vapi.ServerMessageToolCalls = {
      type: "tool-calls",
      call,
      toolCallList: [asked("t1")],
      toolWithToolCallList: [
        {
          type: "function",
          function: { name: "scheduleAppointment", parameters: { type: "object", properties: {} } },
          toolCall: asked("t1"),
        },
      ],
    };
    expect(decoded(message)).toEqual({ calls: [expected], refused: [], single: false });
  });

  it("say which number was called, from where and which agent answers", () => {
    const phoneNumber: Vapi.ServerMessageToolCallsPhoneNumber = { provider: "twilio", number: "+16175550142", twilioAccountSid: "AC" };
    const customer: Vapi.CreateCustomerDto = { number: "+16175550100" };
    const about = { calledNumber: "+16175550142", callerNumber: "+16175550100", agentId: "assistant-1" };
    const toolCallList = [asked("t1")];
    expect(only({ toolCallList, phoneNumber, customer, call: { ...call, assistantId: "assistant-1" } })).toEqual({ ...expected, ...about });
    expect(only({ toolCallList, call: { ...call, phoneNumber, customer, assistantId: "assistant-1" } })).toEqual({ ...expected, ...about });
    expect(only({ toolCallList, phoneNumber: { number: 7 }, customer: "x" })).toEqual(expected);
  });

  it.each<[string, unknown, object]>([
    [
      "toolCallList, arguments as an object",
      args,
      { toolCallList: [{ id: "t1", type: "function", function: { name: "scheduleAppointment", arguments: args } }] },
    ],
    ["toolCallList, name and arguments at the top", args, { toolCallList: [{ id: "t1", name: "scheduleAppointment", arguments: args }] }],
    ["toolCallList, name and parameters at the top", args, { toolCallList: [{ id: "t1", name: "scheduleAppointment", parameters: args }] }],
    ["toolCalls alone", sent, { toolCalls: [asked("t1")] }],
    ["toolCalls beside an empty toolCallList", sent, { toolCallList: [], toolCalls: [asked("t1")] }],
    [
      "toolWithToolCallList alone",
      sent,
      {
        toolWithToolCallList: [
          { type: "function", function: { name: "scheduleAppointment", parameters: { type: "object" } }, toolCall: asked("t1") },
        ],
      },
    ],
    [
      "toolWithToolCallList, the name only on the tool",
      args,
      { toolWithToolCallList: [{ type: "function", name: "scheduleAppointment", toolCall: { id: "t1", parameters: args } }] },
    ],
    [
      "toolWithToolCallList, the name only on the tool's function",
      args,
      {
        toolWithToolCallList: [
          { function: { name: "scheduleAppointment", parameters: { type: "object" } }, toolCall: { id: "t1", parameters: args } },
        ],
      },
    ],
    [
      "arguments that are no JSON",
      '{"slotId": ',
      { toolCallList: [{ id: "t1", function: { name: "scheduleAppointment", arguments: '{"slotId": ' } }] },
    ],
    ["no arguments", undefined, { toolCallList: [{ id: "t1", function: { name: "scheduleAppointment", arguments: null } }] }],
  ])("are found in every place and reach the tool as they came: %s", (_form, given, message) => {
    expect(only(message)).toEqual({ ...expected, args: given });
  });

  it("carry the language of the assistant's transcriber, which is none where it hears several", () => {
    const assistant = (language: "es" | "en-US" | "multi"): Vapi.CreateAssistantDto => ({
      transcriber: { provider: "deepgram", language },
    });
    const languageOf = (message: object) => only({ ...message, toolCallList: [asked("t1")] })?.language;
    expect(languageOf({ assistant: assistant("es") })).toBe("es");
    expect(languageOf({ call: { ...call, assistant: assistant("en-US") } })).toBe("en");
    for (const none of [assistant("multi"), {}, { transcriber: 7 }]) expect(languageOf({ assistant: none })).toBeUndefined();
  });

  it("carry the number that the caller phones from", () => {
    const customer: Vapi.CreateCustomerDto = { number: "+14155550101" };
    for (const where of [{ customer }, { call: { ...call, customer } }])
      expect(only({ ...where, toolCallList: [asked("t1")] })).toEqual({ ...expected, callerNumber: "+14155550101" });
  });

  it("keep the requested order for any number of calls", () => {
    const request = decoded({ type: "tool-calls", call, toolCallList: [asked("t1", "verifyPatientIdentity"), asked("t2")] });
    expect(request?.calls.map(({ toolCallId, name }) => [toolCallId, name])).toEqual([
      ["t1", "verifyPatientIdentity"],
      ["t2", "scheduleAppointment"],
    ]);
    expect(decoded({ type: "tool-calls", call, toolCallList: [] })).toEqual({ calls: [], refused: [], single: false });
    expect(decoded({ type: "tool-calls", call })).toEqual({ calls: [], refused: [], single: false });
  });

  it("in the older form ask for one tool and carry no id", () => {
    for (const parameters of [args, sent]) {
      expect(decoded({ type: "function-call", call, functionCall: { name: "scheduleAppointment", parameters } })).toEqual({
        calls: [{ ...expected, toolCallId: undefined, args: parameters }],
        refused: [],
        single: true,
      });
    }
  });

  it("without an id, or with something else in its place, are run all the same", () => {
    for (const id of [undefined, null, 7, ""])
      expect(only({ toolCallList: [{ id, name: "getPatientInfo" }] })).toEqual({
        ...expected,
        toolCallId: undefined,
        name: "getPatientInfo",
        args: undefined,
      });
  });

  it("keep their id unchanged at any length", () => {
    for (const id of ["x".repeat(100_000), " t 1 "]) expect(only({ toolCallList: [{ id, name: "getPatientInfo" }] })?.toolCallId).toBe(id);
  });

  it("with an invalid name are called unknown", () => {
    for (const name of [undefined, "", 7, "x".repeat(65), "drop table", "get.patient", "Ada Lovelace"])
      expect(only({ toolCallList: [{ id: "t1", name }] })?.name).toBe("unknown");
    expect(decoded({ type: "tool-calls", call, toolCallList: [null, 7, "x"] })?.calls.map(({ name }) => name)).toEqual([
      "unknown",
      "unknown",
      "unknown",
    ]);
  });

  it("without a call are refused, not run", () => {
    for (const where of [{}, { call: {} }, { call: { id: null } }, { call: 7 }, { call: null }]) {
      const request = decoded({ type: "tool-calls", ...where, toolCallList: [asked("t1"), asked("t2")] });
      expect(request?.calls).toEqual([]);
      expect(request?.refused.map(({ toolCallId }) => toolCallId)).toEqual(["t1", "t2"]);
    }
  });

  it("with an invalid call id are refused as invalid_request", () => {
    for (const [where, field] of [
      [{ call: { id: "x".repeat(1001) } }, "message.call.id"],
      [{ call: { id: " " } }, "message.call.id"],
      [{ call: { id: 7 } }, "message.call.id"],
      [{ chat: { sessionId: "x".repeat(1001) } }, "message.chat.sessionId"],
      [{ chat: { id: 7 } }, "message.chat.id"],
    ] as const)
      expect(() => decoded({ type: "tool-calls", ...where, toolCallList: [asked("t1")] })).toThrow(
        expect.objectContaining({ code: "invalid_request", fields: { [field]: expect.any(String) } }),
      );
  });

  it("of a text chat belong to its session, and not to a phone call with the same id", () => {
    const callOf = (where: object) => decoded({ type: "tool-calls", ...where, toolCallList: [asked("t1")] })?.calls[0];
    expect(callOf({ chat: { id: "chat-1", sessionId: "session-1" } })?.callId).toBe("chat:session-1");
    expect(callOf({ chat: { id: "chat-1" } })?.callId).toBe("chat:chat-1");
    expect(callOf({ chat: { id: "call-a" } })?.callKey).not.toBe(callOf({ call })?.callKey);
    expect(callOf({ call })?.callKey).toBe(keys.callKeyOf("vapi", "call-a"));
  });

  it("beyond sixteen in one message are refused", () => {
    const request = decoded({ type: "tool-calls", call, toolCallList: Array.from({ length: 20 }, (_, index) => asked(`t${index}`)) });
    expect([request?.calls.length, request?.refused.length]).toEqual([16, 4]);
    expect(request?.refused[0]?.toolCallId).toBe("t16");
  });

  it("beyond a hundred in one message are refused as a whole, in and outside a call and in whichever list", () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => asked(`t${index}`));
    expect(decoded({ type: "tool-calls", call, toolCallList: many(100) })?.refused).toHaveLength(84);
    for (const where of [{ call }, {}])
      for (const list of [
        { toolCallList: many(101) },
        { toolCalls: many(101) },
        { toolWithToolCallList: many(101).map((toolCall) => ({ toolCall })) },
      ])
        expect(() => decoded({ type: "tool-calls", ...where, ...list })).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  it("are distinguished from other messages, and for any JSON decoding fails only because of the call id", () => {
    expect(decoded({ type: "hang", call, toolCallList: [asked("t1")] })).toBeUndefined();
    for (const body of [undefined, null, 7, "x", [], {}, { message: null }, { message: {} }, { message: { type: 7 } }])
      expect(vapi.decodeToolCalls(body)).toBeUndefined();
    fc.assert(fc.property(fc.jsonValue(), (body) => void expect(vapi.decodeToolCalls(body)).toBeUndefined()));
    const list = fc.option(
      fc.oneof(
        fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.record({ id: fc.jsonValue(), name: fc.jsonValue(), function: fc.jsonValue(), toolCall: fc.jsonValue() }),
          ),
        ),
        fc.jsonValue(),
      ),
      { nil: undefined },
    );
    const message = fc.record({
      type: fc.constantFrom("tool-calls", "function-call"),
      call: fc.oneof(fc.constant(call), fc.jsonValue(), fc.record({ id: fc.jsonValue() })),
      toolCallList: list,
      toolCalls: list,
      toolWithToolCallList: list,
      functionCall: fc.jsonValue(),
    });
    fc.assert(
      fc.property(message, (body) => {
        try {
          const request = decoded(body);
          for (const { name } of [...request!.calls, ...request!.refused]) expect(name).toMatch(/^[\w-]{1,64}$/);
        } catch (error) {
          if (!isAppError(error, "invalid_request")) throw error;
          expect(Object.keys(error.fields ?? {})).toEqual(["message.call.id"]);
        }
      }),
    );
  });
});
