import { isAppError } from "@vitaline/core";
import { keys } from "@vitaline/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listTools, runTool, tryTool, type ToolContext, type ToolTest } from "../index.ts";
import { byClock } from "../../../test/kit/aws.ts";
import { outputOf, startTools, type Tools, type Which } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => {
  t = await startTools();
}, 60_000);
afterAll(() => t.close());

const person = (which: Which, id = "admin"): ToolContext => ({
  ...t.context(which),
  actor: { kind: "user", id, role: "tenant_admin", tenantId: t.context(which).tenantId },
});
const ask = (ctx: ToolContext, name: string, args: object = {}, more: Partial<ToolTest> = {}) =>
  tryTool(ctx, { name, arguments: args as Record<string, unknown>, confirm: false, ...more });
const is = (code: "confirmation_required" | "not_found" | "too_many_requests") => (error: unknown) => isAppError(error, code);
const schedule = "scheduleAppointment";

describe("the list of tools", () => {
  it("tells of each what it asks for, and a schema to make a form of", async () => {
    const listed = Object.fromEntries((await listTools()).map((tool) => [tool.name, tool]));
    expect(listed["verifyPatientIdentity"]).toMatchObject({
      title: "Verify patient identity",
      effect: "read",
      level: 0,
      inputSchema: { type: "object", properties: { firstName: {}, lastName: {}, dateOfBirth: {}, sendCode: { enum: ["sms", "email"] } } },
    });
    expect(listed[schedule]).toMatchObject({
      effect: "write",
      level: 1,
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: false },
    });
    expect(listed["getPatientInfo"]).toMatchObject({ effect: "read", level: 1, annotations: { readOnlyHint: true } });
  });
});

describe("a tool that is tried out", () => {
  it("keeps to the identity that was proven in the same session, by the same person, in the same tenant", async () => {
    const admin = person(0);
    const sessionId = "session-1";
    expect(await ask(admin, "getPatientInfo", {}, { sessionId })).toMatchObject({ ok: false, code: "identity_required", sessionId });
    expect(await ask(admin, "verifyPatientIdentity", t.claimOf(0), { sessionId })).toMatchObject({ ok: true, code: null });
    expect(await ask(admin, "getPatientInfo", {}, { sessionId })).toMatchObject({
      ok: true,
      speech: expect.stringContaining(t.patients[0]?.family ?? "?"),
      output: { lastName: t.patients[0]?.family },
      requestId: admin.requestId,
      ms: expect.any(Number),
    });
    for (const [ctx, session] of [
      [admin, "session-2"],
      [admin, undefined],
      [person(0, "colleague"), sessionId],
      [person(1), sessionId],
    ] as const)
      expect(await ask(ctx, "getPatientInfo", {}, { sessionId: session })).toMatchObject({ ok: false, code: "identity_required" });
  });

  it("is audited as a test, with the record system that it opened", async () => {
    const sessionId = "audited";
    await ask(person(0), "verifyPatientIdentity", t.claimOf(0), { sessionId });
    const audits = await t.audits(0, keys.callKeyOf("test", `admin/${sessionId}`));
    expect(audits).toMatchObject([
      {
        action: "tool.verifyPatientIdentity",
        category: "patient_access",
        detail: { test: true, testCall: true, platform: "test", fhirProviderId: t.providers[0] },
      },
    ]);
  });

  it("changes the record only when that is confirmed, and books once when it is sent again", async () => {
    const admin = person(0);
    const sessionId = "booking";
    await ask(admin, "verifyPatientIdentity", t.claimOf(1), { sessionId });
    const [slotId] = await t.unusedSlots(0, 1);
    const before = await t.audits(0);
    await expect(ask(admin, schedule, { action: "book", slotId }, { sessionId })).rejects.toSatisfy(is("confirmation_required"));
    expect(await t.audits(0)).toEqual(before);
    for (let times = 0; times < 2; times++) {
      const answer = await ask(admin, schedule, { action: "book", slotId }, { sessionId, confirm: true });
      expect(answer).toMatchObject({ ok: true, output: { result: "booked" } });
    }
    expect((await t.audits(0)).length).toBe(before.length + 1);
    expect(await ask(admin, schedule, { action: "find" }, { sessionId })).toMatchObject({ ok: true, output: { result: "found" } });
  });

  it("says no as it would to a caller: bad arguments are an answer, an unknown tool is not found", async () => {
    expect(await ask(person(0), "verifyPatientIdentity", {})).toMatchObject({ ok: false, code: "invalid_arguments", output: null });
    for (const name of ["noTool", "toString", "__proto__"]) await expect(ask(person(0), name)).rejects.toSatisfy(is("not_found"));
  });

  it("is one of thirty a minute and person; others have their own", async () => {
    const now = new Date("2026-05-01T10:00:20.000Z");
    const busy = byClock(person(1, "busy"), () => now);
    for (let count = 0; count < 30; count++) await ask(busy, "getPatientInfo");
    await expect(ask(busy, "getPatientInfo")).rejects.toMatchObject({ code: "too_many_requests", retryAfterSeconds: 40 });
    expect(
      await ask(
        byClock(person(1, "other"), () => now),
        "getPatientInfo",
      ),
    ).toMatchObject({ code: "identity_required" });
    const later = byClock(busy, () => new Date(now.getTime() + 60_000));
    expect(await ask(later, "getPatientInfo")).toMatchObject({ ok: false });
  });
});

describe("a tool that runs in a call", () => {
  it("names in its audit row the record system that it opened, and none where it opened none", async () => {
    const caller = await t.verified(0, 2);
    const [slotId] = await t.unusedSlots(0, 1);
    expect(outputOf(await caller.use(schedule, { action: "book", slotId })).result).toBe("booked");
    await runTool(t.context(0), { ...caller.call("verifyPatientIdentity", {}) });
    const details = (await t.audits(0, caller.callKey)).map(({ action, success, detail }) => [
      action,
      success,
      detail?.["fhirProviderId"],
      detail?.["test"],
    ]);
    expect(details).toEqual(
      expect.arrayContaining([
        ["tool.verifyPatientIdentity", true, t.providers[0], undefined],
        [`tool.${schedule}`, true, t.providers[0], undefined],
        ["tool.verifyPatientIdentity", false, undefined, undefined],
      ]),
    );
  });
});
