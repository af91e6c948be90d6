import { recordCallEvent } from "@vitaline/calls";
import { isAppError } from "@vitaline/core";
import { keys, type CallRow, type TenantContext } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/fixtures/aws.ts";
import { vapi } from "./index.ts";

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
  destination: object("type", "number"),
  analysis: object("summary", "successEvaluation"),
  artifact: fc.oneof(
    hostile,
    fc.record({ transcript: hostile, messages: turns, transfers: fc.oneof(hostile, fc.array(object("status"))) }, { requiredKeys: [] }),
  ),
};
const aboutCall = fc.record(
  Object.fromEntries(
    ["assistantId", "type", "customer", "startedAt", "endedAt", "endedReason", "destination"].map((name) => [name, hostile]),
  ),
  { requiredKeys: [] },
);
const ending = fc.constantFrom(
  { type: "end-of-call-report" },
  { type: "status-update", status: "ended" },
  { type: "status-update", status: "Ended" },
);

describe("the end of a call that is named", () => {
  it("is recorded or refused as the sender's fault, and ends the identity, whatever stands in the message's other fields", async () => {
    let recorded = 0;
    await fc.assert(
      fc.asyncProperty(fc.record(fields, { requiredKeys: [] }), aboutCall, ending, async (more, call, type) => {
        const callId = `call-${calls++}`;
        const callKey = keys.callKeyOf("vapi", callId);
        const event = vapi.decodeCallEvent({ message: { ...more, ...type, call: { ...call, id: callId } } });
        try {
          await recordCallEvent(one, event!);
          recorded += 1;
          expect(await one.store.get<CallRow>(keys.call(callKey))).toMatchObject({ callKey, countedAt: expect.any(String) });
        } catch (error) {
          if (!isAppError(error, "invalid_request")) throw error;
        }
        expect(await one.store.get(keys.callState(callKey))).toMatchObject({ closedAt: expect.any(String) });
        expect(await two.store.get(keys.callState(callKey))).toBeUndefined();
      }),
      { numRuns: full ? 5000 : 400 },
    );
    // Nothing that Vapi's adapter hands over is refused: what is odd was left out before.
    expect(recorded).toBe(calls);
  });
});
