import { getSealedFile } from "@vitaline/aws";
import { readCall, recordCallEvent } from "@vitaline/calls";
import { isAppError } from "@vitaline/core";
import { keys, type CallRow, type TenantContext } from "@vitaline/store";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { vapi } from "./adapter.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeEach(async () => {
  test = await startTestAws();
  [one, two] = test.tenants.map((id) => test.inTenant(id)) as [TenantContext, TenantContext];
});
afterEach(() => test.close());

const full = Boolean(process.env["FULL"]);
let calls = 0;

const hostile = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.constantFrom<unknown>(
    ...[-1, -0, 5e-324, 1e-200, 86_401, 1e126, 1e308, Number.POSITIVE_INFINITY, Date.UTC(2026, 4), 8.64e15, 8.64e15 + 1],
    ...["9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+14:00", "2026-02-29T00:00:00Z", "2026-05-01T10:00:00Z", "2100-01-01T00:00:01Z"],
    ...[
      "",
      " ",
      "\ud800",
      "\u0000",
      `${"x".repeat(199)}\u{1f600}`,
      "x".repeat(20_000),
      "true",
      "1e308%",
      "10/10",
      "__proto__",
      "customer-busy",
    ],
  ),
);
const object = (...names: string[]) =>
  fc.oneof(
    { weight: 1, arbitrary: hostile },
    { weight: 4, arbitrary: fc.record(Object.fromEntries(names.map((name) => [name, hostile])), { requiredKeys: [] }) },
  );
const turns = fc.oneof(
  hostile,
  fc.array(object("role", "message", "secondsFromStart"), { maxLength: 4 }),
  fc.array(fc.record({ role: fc.constant("user"), message: hostile, secondsFromStart: hostile })),
);
const fields = {
  ...Object.fromEntries(
    [
      "timestamp",
      "startedAt",
      "endedAt",
      "endedReason",
      "durationSeconds",
      "durationMs",
      "cost",
      "transcript",
      "summary",
      "toolCallList",
      "functionCall",
      "chat",
      "customer",
    ].map((name) => [name, hostile]),
  ),
  destination: object("type", "number", "sipUri"),
  phoneNumber: object("number"),
  assistant: object("name"),
  analysis: object("summary", "successEvaluation", "structuredData", "structuredDataMulti"),
  artifact: fc.oneof(
    hostile,
    fc.record(
      {
        transcript: hostile,
        messages: turns,
        transfers: fc.oneof(hostile, fc.array(object("status", "destination"))),
        structuredOutputs: hostile,
        performanceMetrics: fc.oneof(hostile, fc.record({ turnLatencies: fc.array(object("turnLatency")) })),
      },
      { requiredKeys: [] },
    ),
  ),
};
const aboutCall = fc.record(
  Object.fromEntries(
    ["assistantId", "type", "customer", "phoneNumber", "assistant", "startedAt", "endedAt", "endedReason", "destination"].map((name) => [
      name,
      hostile,
    ]),
  ),
  { requiredKeys: [] },
);
const ending = fc.constantFrom(
  { type: "end-of-call-report" },
  { type: "status-update", status: "ended" },
  { type: "status-update", status: "Ended" },
);

describe("the end of a call with an id", () => {
  it("is recorded or refused as invalid_request, and ends the verified identity, with any values in the other fields", async () => {
    let [sent, recorded] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.record(fields, { requiredKeys: [] }), aboutCall, ending, async (more, call, type) => {
        const callId = `call-${calls++}`;
        sent += 1;
        const callKey = keys.callKeyOf("vapi", callId);
        const event = vapi.decodeCallEvent({ message: { ...more, ...type, call: { ...call, id: callId } } });
        try {
          await recordCallEvent(one, event!);
          recorded += 1;
          expect(await one.store.get<CallRow>(keys.call(callKey))).toMatchObject({ callKey, endSeenAt: expect.any(String) });
        } catch (error) {
          if (!isAppError(error, "invalid_request")) throw error;
        }
        expect(await one.store.get(keys.callState(callKey))).toMatchObject({ callEndedAt: expect.any(String) });
        expect(await two.store.get(keys.callState(callKey))).toBeUndefined();
      }),
      { numRuns: full ? 1500 : 100 },
    );
    // The adapter leaves out invalid values, so none of its events is refused.
    expect(recorded).toBe(sent);
  });
});

/** All messages about one forwarded call. */
const life = (callId: string): object[] => {
  const about = {
    call: { id: callId, type: "inboundPhoneCall", assistantId: "assistant-1" },
    assistant: { name: "Front desk" },
    customer: { number: "+16175550100" },
    phoneNumber: { number: "+16175550142" },
  };
  const [startedAt, endedAt] = ["2026-11-20T10:00:05.000Z", "2026-11-20T10:03:05.000Z"];
  const destination = { type: "number", number: "+14155550123" };
  const performanceMetrics = { turnLatencies: [{ turnLatency: 900 }, { turnLatency: 1100 }] };
  const messages = [
    { type: "status-update", status: "queued" },
    { type: "status-update", status: "ringing" },
    { type: "status-update", status: "in-progress", timestamp: Date.parse(startedAt) },
    { type: "transfer-update", destination },
    { type: "status-update", status: "ended", endedReason: "assistant-forwarded-call", timestamp: Date.parse(endedAt) },
    {
      ...{ type: "end-of-call-report", endedReason: "assistant-forwarded-call", startedAt, endedAt, cost: 0.31, destination },
      analysis: { summary: "Wanted the nurse.", successEvaluation: "true", structuredData: { reason: "refill" } },
      artifact: { transcript: "AI: Hello.", performanceMetrics },
    },
  ];
  return messages.map((message) => ({ message: { ...about, ...message } }));
};

it("V11: the number of a transfer-update is kept where the report names none, in its own tenant only", async () => {
  const call = { id: "v11", type: "inboundPhoneCall", customer: { number: "+16175550142" } };
  const sent = [
    { message: { type: "transfer-update", call, destination: { type: "number", number: "+14155550123" } } },
    { message: { type: "end-of-call-report", call, endedReason: "assistant-forwarded-call", analysis: { summary: "Put through." } } },
  ];
  for (const [tenant, messages] of [
    [one, sent],
    [two, sent.toReversed()],
  ] as const) {
    for (const message of messages) await recordCallEvent(tenant, vapi.decodeCallEvent(message)!);
    const told = await readCall(tenant, keys.callKeyOf("vapi", "v11"));
    expect(told).toMatchObject({ forwarded: true, forwardedTo: "+14155550123", callerNumber: "+16175550142", summary: "Put through." });
  }
  await recordCallEvent(two, vapi.decodeCallEvent({ message: { ...sent[1]!.message, call: { ...call, id: "v11b" } } })!);
  expect((await readCall(two, keys.callKeyOf("vapi", "v11b"))).forwardedTo).toBeNull();
});

it("Vapi's messages of a call give the same record in every order, also repeated", async () => {
  const told = async (order: readonly number[]) => {
    const callId = `call-${calls++}`;
    for (const at of order) await recordCallEvent(one, vapi.decodeCallEvent(life(callId)[at])!);
    const callKey = keys.callKeyOf("vapi", callId);
    expect(await two.store.get(keys.call(callKey))).toBeUndefined();
    const row = await one.store.get<CallRow>(keys.call(callKey));
    const { startedAt: _placedAt, gsi1sk: _place, expiresAt: _end, textsUntil: _textsEnd, keptFrom: _since, day: _day, ...rest } = row!;
    const { endSeenAt, transcript, numbers, liveNumbers, callKey: _key, platformCallId: _id, ...facts } = rest;
    const texts = transcript && JSON.parse(await getSealedFile("phi", one.tenantId, transcript));
    const { createdAt, duration } = await readCall(one, callKey);
    const has = {
      numbers: numbers !== undefined,
      liveNumbers: liveNumbers !== undefined,
      isCounted: endSeenAt !== undefined,
    };
    return { ...facts, ...has, createdAt, duration, texts: texts as unknown };
  };
  const all = [0, 1, 2, 3, 4, 5];
  const wanted = await told(all);
  expect(wanted).toMatchObject({
    ...{ status: "completed", forwarded: true, success: true, endedReason: "assistant-forwarded-call", isCounted: true },
    ...{ agentId: "assistant-1", agentName: "Front desk", direction: "inbound", latencyP50Ms: 900, latencyP95Ms: 1100 },
    ...{ platformStartedAt: "2026-11-20T10:00:05.000Z", createdAt: "2026-11-20T10:00:05.000Z", duration: 180 },
    ...{ endedAt: "2026-11-20T10:03:05.000Z", durationSeconds: 180, costAmount: 0.31, costCurrency: "USD" },
    texts: {
      ...{ summary: "Wanted the nurse.", callerNumber: "+16175550100", calledNumber: "+16175550142", forwardedTo: "+14155550123" },
      analysis: { structuredData: { reason: "refill" } },
    },
  });
  const { texts: _texts, ...seen } = wanted;
  expect(JSON.stringify(seen)).not.toMatch(/6175550|4155550|refill|nurse/);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(all, { minLength: all.length }), fc.array(fc.nat(5), { maxLength: 4 }), async (order, again) => {
      expect(await told([...order, ...again])).toEqual(wanted);
    }),
    { numRuns: full ? 720 : 20 },
  );
});

it("an unanswered call shows the called number, also without a transcript", async () => {
  const call = { id: "unanswered", type: "outboundPhoneCall" };
  const about = { call, customer: { number: "+16175550100" }, phoneNumber: { number: "+16175550142" } };
  const message = { type: "end-of-call-report", endedReason: "customer-did-not-answer", ...about };
  await recordCallEvent(one, vapi.decodeCallEvent({ message })!);
  const numbers = { callerNumber: "+16175550142", calledNumber: "+16175550100" };
  expect(await readCall(one, keys.callKeyOf("vapi", "unanswered"))).toMatchObject({ status: "no_answer", ...numbers, summary: null });
});
