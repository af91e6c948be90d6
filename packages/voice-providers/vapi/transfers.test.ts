import type { Language } from "@vitaline/contract";
import type { Vapi } from "@vapi-ai/server-sdk";
import { expect, it } from "vitest";
import { summaryForStaff } from "../being-put-through.ts";
import { vapi } from "./adapter.ts";

const asked = (message: object) => vapi.decodeTransfer({ message: { type: "transfer-destination-request", ...message } });

it("where to put a call through to is asked of the routing tool, once a call, as the call and the agent that Vapi names", () => {
  const call = { id: "call-a", assistantId: "assistant-1" };
  expect(asked({ call, customer: { number: "+16175550100" }, phoneNumber: { number: "+16175550142" } })?.call).toMatchObject({
    ...{ platform: "vapi", callId: "call-a", agentId: "assistant-1", callerNumber: "+16175550100", calledNumber: "+16175550142" },
    ...{ name: "logRoutingEvent", args: { outcome: "transferred" } },
  });
  expect(asked({ call })?.call.toolCallId).toBe(asked({ call })?.call.toolCallId);
  expect(asked({})).toBeUndefined();
  expect(vapi.decodeTransfer({ message: { type: "tool-calls", call } })).toBeUndefined();
  expect(vapi.decodeTransfer("nothing")).toBeUndefined();
});

it("the assistant's earlier routing tool call is repeated with its reason and id", () => {
  const routing = (id: string, args: object) => ({
    id,
    type: "function",
    function: { name: "logRoutingEvent", arguments: JSON.stringify(args) },
  });
  const other = { id: "tc-2", type: "function", function: { name: "getPatientInfo" } };
  const wanted = { reason: "billing", outcome: "transferred" };
  const messages = [
    { role: "tool_calls", toolCalls: [routing("tc-1", { reason: "refill", outcome: "transferred" }), other] },
    { role: "tool_calls", toolCalls: [routing("tc-3", wanted)] },
  ];
  const call = { id: "call-a" };
  expect(asked({ call, artifact: { messages } })?.call).toMatchObject({ toolCallId: "tc-3", args: wanted });
  const ended = [...messages, { role: "tool_calls", toolCalls: [routing("tc-4", { reason: "billing", outcome: "callback" })] }];
  expect(asked({ call, artifact: { messages: ended } })?.call).toMatchObject({ args: { outcome: "transferred" } });
});

const to = (phone: string, tried: string[] = [], language: Language = "en", noted = false) => {
  const destinations = [
    { label: "Front desk", phone },
    { label: "Nurse", phone: "617 555 0199" },
  ];
  return vapi.encodeTransfer({ ok: true, speech: "One moment.", output: { destinations, noted } }, { tried }, language);
};

const transferPlan = {
  mode: "warm-transfer-wait-for-operator-to-speak-first-and-then-say-summary" as const,
  summaryPlan: {
    enabled: true,
    messages: [
      { role: "system", content: expect.stringContaining(summaryForStaff) as string },
      { role: "user", content: expect.stringContaining("{{transcript}}") as string },
    ],
    timeoutSeconds: 5,
  },
};

it("V04: staff hear one sentence about the caller before they are connected", async () => {
  const wanted: Vapi.ServerMessageResponseTransferDestinationRequest = {
    destination: { type: "number", number: "+16175550123", message: expect.any(String) as string, transferPlan },
  };
  expect(await to("(617) 555-0123")).toEqual(wanted);
});

it("the first destination on duty is dialed in E.164", async () => {
  const message = "One moment, I'm connecting you with the front desk.";
  const destination = { type: "number" as const, message, transferPlan };
  const wanted: Vapi.ServerMessageResponseTransferDestinationRequest = { destination: { ...destination, number: "+16175550123" } };
  for (const phone of ["(617) 555-0123", "617.555.0123", "1 617 555 0123", "+1 617-555-0123"]) expect(await to(phone)).toEqual(wanted);
  expect(await to("+44 20 7946 0123")).toEqual({ destination: { ...destination, number: "+442079460123" } });
  expect(await to("4711")).toEqual({ destination: { ...destination, number: "4711", numberE164CheckEnabled: false } });
});

it("a destination that was tried is followed by the next, and the last by a sentence", async () => {
  const call = { id: "call-a" };
  const transfers = [{ status: "no-answer", destination: { type: "number", number: "(617) 555-0123" } }];
  const tried = asked({ call, artifact: { transfers } })?.tried ?? [];
  expect(await to("617 555 0123", tried)).toMatchObject({ destination: { number: "+16175550199" } });
  expect(await to("617 555 0123", [...tried, "+16175550199"])).toEqual({
    error: expect.stringMatching(/^I can't put you through at the moment\. May I/),
  });
});

it("a caller whose name is noted is not asked for it again when no one answers", async () => {
  const tried = ["+16175550123", "+16175550199"];
  expect(await to("617 555 0123", tried, "en", true)).toEqual({
    error: "I can't put you through at the moment. The office has your name and how to reach you.",
  });
  expect(await to("617 555 0123", tried, "es", true)).toEqual({
    error: "En este momento no puedo comunicarle. El consultorio ya tiene su nombre y cómo contactarle.",
  });
});

it("what the caller hears meanwhile is in the language of the call", async () => {
  expect(await to("617 555 0123", [], "es")).toMatchObject({ destination: { message: "Un momento, le comunico con la recepción." } });
  expect(await to("617 555 0123", ["+16175550123"], "es")).toMatchObject({
    destination: { message: "Un momento, le comunico con enfermería." },
  });
  expect(await to("617 555 0123", ["+16175550123", "+16175550199"], "es")).toEqual({
    error: expect.stringMatching(/^En este momento no puedo comunicarle\. ¿Me da/),
  });
  const none = { ok: false, speech: "", output: { destinations: [] } };
  expect(await vapi.encodeTransfer(none, { tried: [] }, "es")).toEqual({ error: "En este momento no puedo comunicarle." });
  const message = { type: "transfer-destination-request", assistant: { transcriber: { language: "es" } } };
  expect(vapi.acknowledge({ message })).toEqual({ error: "En este momento no puedo comunicarle." });
});

it("with no staff on duty the assistant says the fallback sentence", async () => {
  const speech = "I can't put you through to anybody right now. May I have your name and number?";
  expect(await vapi.encodeTransfer({ ok: true, speech, output: { destinations: [] } }, { tried: [] }, "en")).toEqual({ error: speech });
  expect(await vapi.encodeTransfer({ ok: false, speech: "", code: "unavailable" }, { tried: [] }, "en")).toEqual({
    error: "I can't put you through at the moment.",
  });
});
