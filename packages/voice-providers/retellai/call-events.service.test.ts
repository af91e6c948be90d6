import { readCall, recordCallEvent } from "@vitaline/calls";
import { isAppError } from "@vitaline/core";
import { keys, type CallRow, type TenantContext } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { retellAi } from "./adapter.ts";
import { analyzedCall, endedCall, events, startedCall } from "./webhook.fixture.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeAll(async () => {
  test = await startTestAws();
  [one, two] = test.tenants.map((id) => test.inTenant(id)) as [TenantContext, TenantContext];
});
afterAll(() => test.close());

const full = Boolean(process.env["FULL"]);
let calls = 0;
const newCall = () => `call-${calls++}`;
const keyOf = (callId: string) => keys.callKeyOf("retellai", callId);
const rowOf = (ctx: TenantContext, callId: string) => ctx.store.get<CallRow>(keys.call(keyOf(callId)));

type Webhook = { event: string; call: object; transfer_destination?: string };
const record = async (ctx: TenantContext, callId: string, webhook: Webhook) =>
  recordCallEvent(ctx, retellAi.decodeCallEvent({ ...webhook, call: { ...webhook.call, call_id: callId } })!);

const settled = async (ctx: TenantContext, callId: string) => {
  const { id: _key, platformCallId: _id, ...detail } = await readCall(ctx, keyOf(callId));
  const row = await rowOf(ctx, callId);
  return { ...detail, counted: row?.endSeenAt !== undefined, rank: row?.rank };
};

const lives: Record<string, Webhook[]> = {
  "that ended by itself": [
    { event: "call_started", call: startedCall },
    { event: "transcript_updated", call: startedCall },
    { event: "transcript_updated", call: endedCall },
    { event: "call_ended", call: endedCall },
    { event: "call_analyzed", call: analyzedCall },
  ],
  "that was put through to a person at the second try": [
    { event: "call_started", call: startedCall },
    { event: "transfer_started", call: startedCall, transfer_destination: "+14155550123" },
    { event: "transfer_cancelled", call: startedCall, transfer_destination: "+14155550123" },
    { event: "transfer_bridged", call: startedCall, transfer_destination: "+14155550124" },
    ...(["call_ended", "transfer_ended", "call_analyzed"] as const).map((event) => ({
      event,
      call: {
        ...(event === "call_analyzed" ? analyzedCall : endedCall),
        disconnection_reason: "call_transfer",
        transfer_destination: "+14155550124",
      },
    })),
  ],
  "that reached a voicemail": [
    { event: "call_started", call: { ...startedCall, direction: "outbound" } },
    { event: "call_ended", call: { ...endedCall, direction: "outbound", disconnection_reason: "agent_hangup" } },
    {
      event: "call_analyzed",
      call: { ...analyzedCall, direction: "outbound", disconnection_reason: "agent_hangup", call_analysis: { in_voicemail: true } },
    },
  ],
  "an unanswered call": (["call_ended", "call_analyzed"] as const).map((event) => ({
    event,
    call: { ...startedCall, call_status: "not_connected", disconnection_reason: "dial_no_answer" },
  })),
};

describe("the record of a call", () => {
  it.each(Object.entries(lives))("%s is the same after every order and repetition of its events", async (_life, webhooks) => {
    const plain = newCall();
    for (const webhook of webhooks) await record(one, plain, webhook);
    const wanted = await settled(one, plain);
    expect(wanted).toMatchObject({ platform: "retellai", counted: true, createdAt: "2026-03-01T10:00:05.000Z" });
    expect(wanted).toMatchObject({ callerNumber: startedCall.from_number, calledNumber: startedCall.to_number });
    const indexes = webhooks.map((_, index) => index);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(indexes, { minLength: indexes.length }),
        fc.array(fc.nat(indexes.length - 1), { maxLength: 4 }),
        async (order, again) => {
          const callId = newCall();
          let rank = 0;
          for (const index of [...order, ...again]) {
            await record(one, callId, webhooks[index]!);
            const now = (await rowOf(one, callId))?.rank ?? 0;
            expect(now).toBeGreaterThanOrEqual(rank);
            rank = now;
          }
          expect(await settled(one, callId)).toEqual(wanted);
          expect(await rowOf(two, callId)).toBeUndefined();
        },
      ),
      { numRuns: full ? 200 : 10 },
    );
  });

  it("contains every reported field, patient data sealed", async () => {
    const callId = newCall();
    for (const webhook of lives["that was put through to a person at the second try"]!) await record(two, callId, webhook);
    expect(await readCall(two, keyOf(callId))).toMatchObject({
      platform: "retellai",
      platformCallId: callId,
      status: "completed",
      endedReason: "call_transfer",
      createdAt: "2026-03-01T10:00:05.000Z",
      endedAt: "2026-03-01T10:03:07.400Z",
      duration: 182,
      forwarded: true,
      forwardedTo: "+14155550124",
      direction: "inbound",
      callerNumber: "+14155550101",
      calledNumber: "+16175550100",
      agentName: "Receptionist",
      success: true,
      sentiment: "Positive",
      summary: "The caller said hi.",
      cost: { amount: 0.3145, currency: "USD" },
      latency: { p50Ms: 812, p95Ms: 1730 },
      analysis: { reason_for_call: "refill", is_new_patient: false },
      transcript: { text: "Agent: Hello.\nUser: Hi." },
    });
    const row = JSON.stringify(await rowOf(two, callId));
    for (const told of ["4155550101", "6175550100", "4155550124", "Hello.", "The caller", "refill", "recordings.example", "logs.example"])
      expect(row).not.toContain(told);
  });

  it("ends the verified identity and is recorded or refused as invalid_request, with any values in the other fields", async () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>(-1, 1e300, 5e-324, 8.64e15, Date.UTC(2026, 4), "", "\ud800", "\u0000", "x".repeat(20_000), "__proto__"),
    );
    const other = fc.record(Object.fromEntries(Object.keys(analyzedCall).map((name) => [name, odd])), { requiredKeys: [] });
    const analysis = fc.record(Object.fromEntries(Object.keys(analyzedCall.call_analysis!).map((name) => [name, odd])), {
      requiredKeys: [],
    });
    const ending = fc.constantFrom(
      ...events.map(([event]) => event).filter((event) => event === "call_ended" || event === "call_analyzed"),
    );
    let asked = 0;
    let recorded = 0;
    await fc.assert(
      fc.asyncProperty(other, analysis, ending, async (call, call_analysis, event) => {
        const callId = newCall();
        asked += 1;
        try {
          await record(one, callId, { event, call: { ...call, call_analysis } });
          recorded += 1;
          expect(await rowOf(one, callId)).toMatchObject({ endSeenAt: expect.any(String) });
        } catch (error) {
          if (!isAppError(error, "invalid_request")) throw error;
        }
        expect(await one.store.get(keys.callState(keyOf(callId)))).toMatchObject({ callEndedAt: expect.any(String) });
      }),
      { numRuns: full ? 1500 : 60 },
    );
    // The adapter leaves out invalid values, so none of its events is refused.
    expect(recorded).toBe(asked);
  });
});
