import { readCall, recordCallEvent, recordToolUse, type CallEvent } from "@vitaline/calls";
import { defaultRetention } from "@vitaline/contract";
import { keys, type CallRow, type TenantContext } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { callEventFromReport } from "../decoding/call-event.ts";
import { callEvent, ringingEvent } from "./incoming-calls.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeAll(async () => {
  test = await startTestAws();
  [one, two] = test.tenants.map((id) => test.inTenant(id)) as [TenantContext, TenantContext];
}, 60_000);
afterAll(() => test.close());

let calls = 0;
const officeId = "0".repeat(26);
const createdAt = "2026-03-02T10:00:00.000Z";

/** All events of one call. */
const life = (callId: string) => {
  const answering = {
    agent: { id: "a1", voiceProviderId: "v1", providerType: "openai", externalAgentId: "gpt-realtime", agentName: "Desk" },
    office: { id: officeId, name: "North", isActive: true, createdAt },
  } as Parameters<typeof callEvent>[1];
  const known = callEvent({ platform: "openai", callId, callerNumber: "+16175550123", calledNumber: "+14155550100" }, answering);
  const report = {
    platform: "openai",
    callId,
    status: "completed",
    durationSeconds: 61,
    endedReason: "hangup",
    success: true,
    startedAt: createdAt,
  } as const;
  const events: CallEvent[] = [ringingEvent(known), { ...known, status: "in_progress" }, callEventFromReport(report)];
  return events;
};
const factsOf = async (row: CallRow | undefined) => {
  const {
    status,
    rank,
    endedReason,
    durationSeconds,
    officeId: office,
    agentId,
    agentName,
    direction,
    success,
    forwarded,
    toolsUsed,
  } = row!;
  const { createdAt: began, callerNumber, calledNumber } = await readCall(one, row!.callKey);
  const told = { began, callerNumber, calledNumber };
  return { status, rank, endedReason, durationSeconds, office, agentId, agentName, direction, success, forwarded, toolsUsed, ...told };
};

it("a call gives the same record for events in any order and with repetitions, in its own tenant only", async () => {
  const whole = [0, 1, 2, 3];
  const orders = fc.tuple(fc.shuffledSubarray(whole, { minLength: 4 }), fc.array(fc.constantFrom(...whole), { maxLength: 3 }));
  const taken = async (order: readonly number[]) => {
    const callId = `rtc_${++calls}`;
    const callKey = keys.callKeyOf("openai", callId);
    const events = life(callId);
    const run = { callKey, platform: "openai" as const, officeId, firstRunAt: new Date().toISOString(), tools: ["getPatientInfo"] };
    for (const at of order)
      await (events[at]
        ? recordCallEvent(one, events[at])
        : one.store.writeUnaudited(recordToolUse({ tenantId: one.tenantId, timeZone: "UTC" }, run, defaultRetention)));
    expect(await two.store.get(keys.call(callKey))).toBeUndefined();
    return factsOf(await one.store.get<CallRow>(keys.call(callKey)));
  };
  const inOrder = await taken(whole);
  expect(inOrder).toMatchObject({ status: "completed", durationSeconds: 61, office: officeId, agentId: "gpt-realtime", agentName: "Desk" });
  expect(inOrder).toMatchObject({ began: createdAt, callerNumber: "+16175550123", calledNumber: "+14155550100" });
  await fc.assert(
    fc.asyncProperty(orders, async ([order, again]) => {
      expect(await taken([...order, ...again])).toEqual(inOrder);
    }),
    { numRuns: 40 },
  );
});
