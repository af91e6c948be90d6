import { readCall, recordCallEvent } from "@vitaline/calls";
import { isAppError } from "@vitaline/core";
import { keys, type CallRow, type TenantContext } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { elevenLabs } from "./adapter.ts";
import { told, webhook } from "./conversation.fixture.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeAll(async () => {
  test = await startTestAws();
  [one, two] = test.tenants.map((id) => test.inTenant(id)) as [TenantContext, TenantContext];
});
afterAll(() => test.close());

const full = Boolean(process.env["FULL"]);
let conversations = 0;
const rowOf = (ctx: TenantContext, id: string) => ctx.store.get<CallRow>(keys.call(keys.callKeyOf("elevenlabs", id)));

/** All messages about one conversation, from webhooks and the API. */
const life = (id: string): unknown[] => {
  const { metadata } = told(id);
  const begun = { ...metadata, call_duration_secs: 0, cost_fiat: null, termination_reason: null };
  return [
    { ...told(id, { status: "initiated", transcript: [], analysis: null, metadata: begun }) },
    { ...told(id, { status: "in-progress", analysis: null, metadata: begun }) },
    { ...told(id, { status: "processing", analysis: null }) },
    webhook(told(id)),
    told(id),
  ];
};
const record = async (bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) await recordCallEvent(one, elevenLabs.decodeCallEvent(body)!);
};
const shown = async (id: string) => {
  const { id: _id, platformCallId: _platformCallId, ...rest } = await readCall(one, keys.callKeyOf("elevenlabs", id));
  return rest;
};

it("reports of a conversation give the same record in every order, also repeated", async () => {
  const expected = "conv-in-order";
  await record(life(expected));
  const wanted = await shown(expected);
  expect(wanted).toMatchObject({ status: "completed", success: true, duration: 182, cost: { amount: 0.0925 }, latency: { p50Ms: 1250 } });
  expect(wanted).toMatchObject({ summary: "The caller booked.", analysis: { "wants: recall": true }, callerNumber: "+16175550142" });
  const orders = fc.shuffledSubarray([0, 1, 2, 3, 4, 0, 1, 2, 3, 4], { minLength: 5 }).filter((order) => new Set(order).size === 5);
  await fc.assert(
    fc.asyncProperty(orders, async (order) => {
      const id = `conv-${conversations++}`;
      const bodies = life(id);
      await record(order.map((index) => bodies[index]));
      expect(await shown(id)).toEqual(wanted);
      expect(await rowOf(two, id)).toBeUndefined();
    }),
    { numRuns: full ? 250 : 15 },
  );
});

const hostile = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: "binary", maxLength: 400 }),
  fc.constantFrom<unknown>(
    ...[-1, -0, 5e-324, 86_401, 1e126, 1e308, Date.UTC(2026, 4) / 1000, 4_102_444_801, 8.64e12, "\ud800", "\u0000", "x".repeat(20_000)],
    ...["done", "failed", "__proto__", "success", "busy", `${"x".repeat(199)}\u{1f600}`, " "],
  ),
);
const some = (...names: string[]) =>
  fc.oneof(
    { weight: 1, arbitrary: hostile },
    { weight: 4, arbitrary: fc.record(Object.fromEntries(names.map((name) => [name, hostile])), { requiredKeys: [] }) },
  );
const data = fc.record(
  {
    agent_id: hostile,
    agent_name: hostile,
    status: fc.oneof(hostile, fc.constantFrom("done", "failed", "processing")),
    transcript: fc.oneof(
      hostile,
      fc.array(fc.record({ role: fc.constantFrom("user", "agent"), message: hostile, time_in_call_secs: hostile }), { maxLength: 4 }),
    ),
    metadata: fc.oneof(
      hostile,
      fc.record(
        {
          start_time_unix_secs: hostile,
          call_duration_secs: hostile,
          cost_fiat: hostile,
          termination_reason: hostile,
          phone_call: some("direction", "agent_number", "external_number", "call_result"),
          error: some("code"),
        },
        { requiredKeys: [] },
      ),
    ),
    analysis: fc.oneof(
      hostile,
      fc.record(
        {
          call_successful: hostile,
          transcript_summary: hostile,
          data_collection_results: fc.oneof(hostile, fc.dictionary(fc.string(), fc.record({ value: hostile }))),
        },
        { requiredKeys: [] },
      ),
    ),
    failure_reason: hostile,
  },
  { requiredKeys: [] },
);

it("an end is recorded or refused as invalid_request, and ends the verified identity, with any values in the other fields", async () => {
  let recorded = 0;
  let ends = 0;
  await fc.assert(
    fc.asyncProperty(data, fc.constantFrom("post_call_transcription", "call_initiation_failure"), hostile, async (fields, type, at) => {
      const id = `hostile-${conversations++}`;
      const event = elevenLabs.decodeCallEvent({ type, event_timestamp: at, data: { ...fields, conversation_id: id } })!;
      if (event.status === "in_progress" || event.status === "ringing") return;
      ends += 1;
      try {
        await recordCallEvent(one, event);
        recorded += 1;
        expect(await rowOf(one, id)).toMatchObject({ endSeenAt: expect.any(String) });
      } catch (error) {
        if (!isAppError(error, "invalid_request")) throw error;
      }
      const state = keys.callState(keys.callKeyOf("elevenlabs", id));
      expect(await one.store.get(state)).toMatchObject({ callEndedAt: expect.any(String) });
      expect(await two.store.get(state)).toBeUndefined();
    }),
    { numRuns: full ? 1500 : 60 },
  );
  // The adapter leaves out invalid values, so none of its events is refused.
  expect(recorded).toBe(ends);
});
