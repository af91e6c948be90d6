import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { getSealedFile } from "@vitaline/aws";
import { isAppError } from "@vitaline/core";
import { keys, tenantRetention, update, type CallRow, type TenantContext } from "@vitaline/store";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestAws, type TestAws } from "../../../test/kit/aws.ts";
import { rankOf } from "./call-row.ts";
import { CallEvent, listCalls, readCall, recordCallEvent } from "../index.ts";

let test: TestAws;
let one: TenantContext;
let two: TenantContext;
beforeAll(async () => {
  test = await startTestAws();
  [one, two] = test.tenants.map((id) => test.inTenant(id, { kind: "api_key", id: "key", tenantId: id })) as [TenantContext, TenantContext];
});
afterEach(() => test.fault());
afterAll(() => test.close());

let calls = 0;
const newCall = () => `call-${calls++}`;
const keyOf = (callId: string) => keys.callKeyOf("vapi", callId);
const rowOf = async (ctx: TenantContext, callId: string) => (await ctx.store.get(keys.call(keyOf(callId)))) as CallRow;
const stateOf = (ctx: TenantContext, callId: string) => ctx.store.get(keys.callState(keyOf(callId)));
const filesOf = async (callId: string) => {
  const Prefix = `calls/${one.tenantId}/${keyOf(callId)}/`;
  const { Contents = [] } = await new S3Client({}).send(new ListObjectsV2Command({ Bucket: process.env["FILES_BUCKET"], Prefix }));
  return Contents.map(({ Key }) => Key);
};
const spent = () =>
  test.usage().map(({ operation, readUnits, writeUnits, error }) => ({ operation, readUnits, writeUnits, ...(error ? { error } : {}) }));

const started = (callId: string): CallEvent => ({
  platform: "vapi",
  callId,
  status: "in_progress",
  startedAt: "2026-03-01T10:00:00.000Z",
  direction: "inbound",
});
const ended = (callId: string): CallEvent => ({ platform: "vapi", callId, status: "completed", endedReason: "customer-ended-call" });
const report = (callId: string): CallEvent => ({
  platform: "vapi",
  callId,
  status: "completed",
  startedAt: "2026-03-01T10:00:00.000Z",
  endedAt: "2026-03-01T10:02:03.400Z",
  endedReason: "customer-ended-call",
  success: true,
  summary: "Booked a check-up.",
  transcript: { text: "AI: Hello.", messages: [{ role: "assistant", text: "Hello.", atSeconds: 1.2 }] },
  costAmount: 0.21,
  costCurrency: "USD",
});

describe("the cost of an event", () => {
  it("is one conditional update of two units, and one unit more for ending the identity", async () => {
    const callId = newCall();
    await tenantRetention(one);
    test.resetUsage();
    expect(await recordCallEvent(one, started(callId))).toBe("recorded");
    expect(spent()).toEqual([{ operation: "UpdateItem", readUnits: 0, writeUnits: 2 }]);
    test.resetUsage();
    expect(await recordCallEvent(one, report(callId))).toBe("recorded");
    expect(spent()).toEqual([
      { operation: "UpdateItem", readUnits: 0, writeUnits: 1 },
      { operation: "UpdateItem", readUnits: 0, writeUnits: 2 },
    ]);
  });

  it("is one more put for an end that has only numbers; numbers of a running call that will be repeated cost nothing", async () => {
    const callId = newCall();
    const numbers = { callerNumber: "+16175550101", calledNumber: "+16175550145" };
    const costs = async (event: CallEvent) => {
      test.resetUsage();
      await recordCallEvent(one, event);
      return [spent().map(({ writeUnits }) => writeUnits), (await filesOf(callId)).length];
    };
    expect(await costs({ ...started(callId), ...numbers })).toEqual([[2], 0]);
    expect(await costs({ ...ended(callId), ...numbers })).toEqual([[1, 2], 1]);
  });

  it("is no row write for a repeated event", async () => {
    const callId = newCall();
    await recordCallEvent(one, report(callId));
    const [row, state] = [await rowOf(one, callId), await stateOf(one, callId)];
    test.resetUsage();
    expect(await recordCallEvent(one, report(callId))).toBe("unchanged");
    expect(spent()).toEqual([
      { operation: "UpdateItem", readUnits: 0, writeUnits: 1, error: "ConditionalCheckFailedException" },
      { operation: "UpdateItem", readUnits: 0, writeUnits: 1, error: "ConditionalCheckFailedException" },
      { operation: "GetItem", readUnits: 1, writeUnits: 0 },
    ]);
    expect(await rowOf(one, callId)).toEqual(row);
    expect(await stateOf(one, callId)).toEqual(state);
  });
});

describe("a call's record", () => {
  it("is created by a report of a call without earlier events", async () => {
    const callId = newCall();
    await recordCallEvent(one, report(callId));
    expect(await rowOf(one, callId)).toMatchObject({
      status: "completed",
      startedAt: "2026-03-01T10:00:00.000Z",
      durationSeconds: 123,
      success: true,
      forwarded: false,
    });
  });

  it("is not set back by late events, which fill only missing fields", async () => {
    const callId = newCall();
    await recordCallEvent(one, { ...report(callId), status: "failed" });
    expect(await recordCallEvent(one, { ...started(callId), agentId: "agent-7" })).toBe("recorded");
    expect(await recordCallEvent(one, { ...ended(callId), endedReason: "other" })).toBe("unchanged");
    expect(await rowOf(one, callId)).toMatchObject({
      status: "failed",
      endedReason: "customer-ended-call",
      direction: "inbound",
      agentId: "agent-7",
    });
  });

  it("stays forwarded once any event reports it", async () => {
    const [late, early] = [newCall(), newCall()];
    await recordCallEvent(one, { ...report(late), forwarded: false });
    expect(await recordCallEvent(one, { ...started(late), forwarded: true })).toBe("recorded");
    await recordCallEvent(one, { ...started(early), forwarded: true });
    await recordCallEvent(one, { ...report(early), forwarded: false });
    expect([(await rowOf(one, late)).forwarded, (await rowOf(one, early)).forwarded]).toEqual([true, true]);
  });

  it("keeps its list position and the time it was counted after any later event", async () => {
    const callId = newCall();
    await recordCallEvent(one, { platform: "vapi", callId, status: "queued" });
    const { gsi1pk, gsi1sk, startedAt } = await rowOf(one, callId);
    await recordCallEvent(one, ended(callId));
    const { endSeenAt } = await rowOf(one, callId);
    await recordCallEvent(one, { ...report(callId), startedAt: "2020-01-01T00:00:00.000Z" });
    expect(endSeenAt).toBeDefined();
    expect(await rowOf(one, callId)).toMatchObject({ gsi1pk, gsi1sk, startedAt, endSeenAt, rank: 5 });
    expect(gsi1sk).toBe(`${startedAt}#${keyOf(callId)}`);
  });

  it("never starts in the future, in its list position or its reported start", async () => {
    for (const startedAt of ["2999-01-01T00:00:00Z", "2099-01-01T00:00:00Z"]) {
      const callId = newCall();
      await recordCallEvent(one, { ...started(callId), startedAt });
      const row = await rowOf(one, callId);
      expect(Date.parse(row.startedAt)).toBeLessThanOrEqual(Date.now());
      expect(row.platformStartedAt).toBeUndefined();
    }
  });

  it("starts when its platform reports, regardless of its list position, and at its first event until then", async () => {
    const callId = newCall();
    const shown = async () => (await readCall(one, keyOf(callId))).createdAt;
    await recordCallEvent(one, { platform: "vapi", callId, status: "ringing" });
    const { startedAt, gsi1sk } = await rowOf(one, callId);
    expect(await shown()).toBe(startedAt);
    await recordCallEvent(one, started(callId));
    expect(await shown()).toBe("2026-03-01T10:00:00.000Z");
    await recordCallEvent(one, { ...ended(callId), endedAt: "2026-03-01T10:00:30.000Z" });
    expect(await rowOf(one, callId)).toMatchObject({ startedAt, gsi1sk });
    // One event reported the start, the other the end
    expect(await readCall(one, keyOf(callId))).toMatchObject({ endedAt: "2026-03-01T10:00:30.000Z", duration: 30 });
    const [newest] = (await listCalls(one, {})).rows.filter(({ id }) => id === keyOf(callId));
    expect(newest).toMatchObject({ createdAt: "2026-03-01T10:00:00.000Z", duration: 30 });
  });

  it("is the same after every order and repetition of the same events", async () => {
    const events = (callId: string): CallEvent[] => [
      { platform: "vapi", callId, status: "queued", officeId: "office" },
      { platform: "vapi", callId, status: "ringing", agentId: "agent" },
      started(callId),
      { platform: "vapi", callId, status: "in_progress", forwarded: true },
      ended(callId),
      report(callId),
      { platform: "vapi", callId, outcome: "booked", summary: "By hand." },
    ];
    const settled = async (ctx: TenantContext, callId: string) => {
      const {
        gsi1sk: _place,
        startedAt: _placedAt,
        expiresAt: _end,
        textsUntil: _textsEnd,
        keptFrom: _since,
        day: _day,
        endSeenAt,
        transcript,
        summary,
        callKey: _key,
        platformCallId: _id,
        ...facts
      } = await rowOf(ctx, callId);
      return { ...facts, counted: endSeenAt !== undefined, transcript: transcript !== undefined, summary: summary !== undefined };
    };
    const plain = newCall();
    for (const event of events(plain)) await recordCallEvent(one, event);
    const wanted = await settled(one, plain);
    expect(wanted).toMatchObject({ platformStartedAt: "2026-03-01T10:00:00.000Z", durationSeconds: 123 });
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6], { minLength: 7 }),
        fc.array(fc.nat(6), { maxLength: 5 }),
        async (order, again) => {
          const callId = newCall();
          let rank = 0;
          for (const index of [...order, ...again]) {
            await recordCallEvent(one, events(callId)[index] as CallEvent);
            const now = (await rowOf(one, callId)).rank;
            expect(now).toBeGreaterThanOrEqual(rank);
            rank = now;
          }
          expect(await settled(one, callId)).toEqual(wanted);
        },
      ),
      { numRuns: 20 },
    );
  }, 60_000);

  it("belongs to the tenant whose key reported it, even if two tenants' calls have the same id", async () => {
    const callId = newCall();
    await recordCallEvent(one, started(callId));
    expect(await rowOf(two, callId)).toBeUndefined();
    await recordCallEvent(two, report(callId));
    expect((await rowOf(one, callId)).status).toBe("in_progress");
    expect((await rowOf(two, callId)).gsi1pk).toContain(two.tenantId);
  });

  it("of an invalid event is rejected as an invalid request", async () => {
    for (const none of [{ ...started(newCall()), startedAt: "yesterday" }, started("")])
      await expect(recordCallEvent(one, none)).rejects.toSatisfy((error) => isAppError(error, "invalid_request"));
  });

  it("omits implausible instants", async () => {
    for (const odd of ["9999-12-31T23:59:59-14:00", "0000-01-01T00:00:00+14:00", "1969-12-31T23:59:59Z", "2101-01-01T00:00:00Z"]) {
      const callId = newCall();
      expect(await recordCallEvent(one, { ...report(callId), startedAt: odd, endedAt: odd })).toBe("recorded");
      const row = await rowOf(one, callId);
      expect(row).toMatchObject({ status: "completed", success: true, startedAt: row.endSeenAt });
      expect([row.endedAt, row.durationSeconds]).toEqual([undefined, undefined]);
    }
  });

  it("has a duration between zero and a day, else none", async () => {
    const durationOf = async (more: Partial<CallEvent>) => {
      const callId = newCall();
      await recordCallEvent(one, { ...report(callId), startedAt: "2026-03-01T10:00:00Z", ...more });
      return (await rowOf(one, callId)).durationSeconds;
    };
    expect(await durationOf({ endedAt: "2026-03-02T10:00:00Z" })).toBe(86_400);
    for (const endedAt of ["2026-03-02T10:00:01Z", "2099-01-01T00:00:00Z", "2026-03-01T09:59:59Z"])
      expect(await durationOf({ endedAt })).toBeUndefined();
    expect(await durationOf({ endedAt: undefined, durationSeconds: 86_400 })).toBe(86_400);
    for (const durationSeconds of [86_401, 1e308, -1]) expect(await durationOf({ endedAt: undefined, durationSeconds })).toBeUndefined();
  });

  it("omits implausible amounts", async () => {
    for (const [costAmount, kept] of [
      [1_000_000, 1_000_000],
      [0.123_456_78, 0.123_457],
      [1e-308, 0],
      [1e308, undefined],
      [1_000_001, undefined],
      [-0.01, undefined],
    ] as const) {
      const callId = newCall();
      expect(await recordCallEvent(one, { ...report(callId), costAmount })).toBe("recorded");
      expect((await rowOf(one, callId)).costAmount).toBe(kept);
    }
  });

  it("distinguishes calls by their whole id, and stores its beginning", async () => {
    const [a, b] = ["a", "b"].map((end) => `${newCall().padEnd(999, "x")}${end}`) as [string, string];
    await recordCallEvent(one, started(a));
    await recordCallEvent(one, report(b));
    expect(await rowOf(one, a)).toMatchObject({ status: "in_progress", platformCallId: a.slice(0, 200) });
    expect(await rowOf(one, b)).toMatchObject({ status: "completed", platformCallId: b.slice(0, 200) });
  });

  it("stays small: texts go into the sealed file, other fields are truncated", async () => {
    const callId = newCall();
    const essay = `${"x".repeat(199)}${"\u{1f600}".repeat(700_000)}`;
    const event = { ...report(callId), summary: essay, transcript: { text: essay }, outcome: essay, endedReason: "customer-ended-call" };
    test.resetUsage();
    expect(await recordCallEvent(one, event)).toBe("recorded");
    expect(spent().flatMap(({ writeUnits }) => (writeUnits > 0 ? [writeUnits] : []))).toEqual([1, 2]);
    const row = await rowOf(one, callId);
    expect(row.outcome).toBe(`${"x".repeat(199)}\ufffd`);
    expect(JSON.parse(await getSealedFile("phi", one.tenantId, row.transcript!))).toEqual({ summary: essay, transcript: { text: essay } });
    const agentId = essay;
    await recordCallEvent(one, { ...event, callId: newCall(), agentId, endedReason: essay, costCurrency: essay });
    await expect(recordCallEvent(one, { ...started(newCall()), officeId: essay })).rejects.toSatisfy((error) =>
      isAppError(error, "invalid_request"),
    );
  });
});

describe("the content of a call", () => {
  it("is sealed in the files bucket and readable only by its tenant", async () => {
    const callId = newCall();
    await recordCallEvent(one, report(callId));
    await recordCallEvent(one, report(callId));
    const { transcript } = await rowOf(one, callId);
    if (!transcript) throw new Error("No transcript was kept");
    expect(JSON.parse(await getSealedFile("phi", one.tenantId, transcript))).toEqual({
      summary: report(callId).summary,
      transcript: report(callId).transcript,
    });
    await expect(getSealedFile("phi", two.tenantId, transcript)).rejects.toThrow();
  });

  it("is never in the table, and neither is an address of a recording or a live call", async () => {
    const callId = newCall();
    const open = { recordingUrl: "https://files.example/rec?sig=1", monitor: { controlUrl: "https://live.example/control" } };
    const event = {
      ...report(callId),
      ...open,
      transcript: { text: "Secret words", messages: [{ role: "user", text: "Secret words", ...open }] },
    };
    await recordCallEvent(one, event);
    const table = JSON.stringify((await new DynamoDBClient({}).send(new ScanCommand({ TableName: process.env["TABLE_NAME"] }))).Items);
    expect(table).not.toMatch(/Secret words|Booked a check-up|files\.example|live\.example/);
    const { transcript } = await rowOf(one, callId);
    if (!transcript) throw new Error("No transcript was kept");
    expect(await getSealedFile("phi", one.tenantId, transcript)).not.toMatch(/files\.example|live\.example/);
  });

  it("is stored once when a report is sent again because the first answer was lost", async () => {
    const callId = newCall();
    let sealed = false;
    test.fault(({ operation }) => {
      sealed ||= operation === "PutObject";
      return sealed && operation === "UpdateItem"
        ? { status: 400, code: "ProvisionedThroughputExceededException", message: "Too fast" }
        : undefined;
    });
    await expect(recordCallEvent(one, report(callId))).rejects.toSatisfy((error) => isAppError(error, "unavailable"));
    expect(sealed).toBe(true);
    test.fault();
    expect(await recordCallEvent(one, report(callId))).toBe("recorded");
    expect(await filesOf(callId)).toEqual([(await rowOf(one, callId)).transcript?.key]);
  }, 20_000);
});

describe("the identity verified in a call", () => {
  it("ends with the call, and its level is not rewritten", async () => {
    const callId = newCall();
    const expiresAt = Math.floor(Date.now() / 1000) + 900;
    await one.store.writeUnaudited(update(keys.callState(keyOf(callId)), { set: { level: 2, tries: 1, patientId: "p", expiresAt } }));
    await recordCallEvent(one, started(callId));
    expect((await stateOf(one, callId))?.callEndedAt).toBeUndefined();
    await recordCallEvent(one, ended(callId));
    expect(await stateOf(one, callId)).toMatchObject({ level: 2, tries: 1, callEndedAt: expect.any(String) });
  });

  it("ends even if the rest of the event is invalid", async () => {
    for (const odd of [{ startedAt: "yesterday" }, { durationSeconds: "long" }, { success: "maybe" }, { transcript: 7 }]) {
      const callId = newCall();
      await expect(recordCallEvent(one, { ...ended(callId), ...odd } as CallEvent)).rejects.toSatisfy((error) =>
        isAppError(error, "invalid_request"),
      );
      expect(await stateOf(one, callId)).toMatchObject({ callEndedAt: expect.any(String) });
      const going = newCall();
      await expect(recordCallEvent(one, { ...started(going), ...odd } as CallEvent)).rejects.toThrow();
      expect(await stateOf(one, going)).toBeUndefined();
    }
  });

  it("cannot start after the end: a call without a state gets a closed one", async () => {
    const callId = newCall();
    await recordCallEvent(one, ended(callId));
    expect(await stateOf(one, callId)).toMatchObject({ level: 0, tries: 0, callEndedAt: expect.any(String) });
    expect(await stateOf(two, callId)).toBeUndefined();
  });
});

it("an event without a status has no rank", () => {
  expect(rankOf({ summary: "text" })).toBe(0);
});

it("a report with an ended reason replaces a summary without one, in either order", async () => {
  const flat = { platform: "vapi", status: "completed", success: true, summary: "All well." } as const;
  const report = {
    platform: "vapi",
    status: "no_answer",
    endedReason: "customer-did-not-answer",
    summary: "No one answered the phone.",
  } as const;
  for (const [first, second] of [
    [flat, report],
    [report, flat],
  ] as const) {
    const callId = newCall();
    await recordCallEvent(one, { ...first, callId });
    await recordCallEvent(one, { ...second, callId });
    expect(await rowOf(one, callId)).toMatchObject({ status: "no_answer", endedReason: "customer-did-not-answer" });
  }
});
