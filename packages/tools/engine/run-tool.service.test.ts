import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, errorCodes } from "@vitaline/core";
import { keys, put, remove, update, type CallStateRow, type IdempotencyRow } from "@vitaline/store";
import { listTasks, readTask } from "@vitaline/tasks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { runTool, runTools, loadTools, type ToolContext } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { outputOf, startTools, type Tools } from "../test/tools.fixture.ts";

const tools = await loadTools();

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

const schedule = "scheduleAppointment";
const line = "If this is an emergency, please hang up and call 911 right now.";

describe("every tool", () => {
  it("stands under its own name, with what clients and EHRs need to know of it", () => {
    const matrix = readFileSync(path.join(import.meta.dirname, "../../../test/matrix/expected.tsv"), "utf8")
      .trimEnd()
      .split("\n");
    expect(Object.keys(tools).toSorted(), "a row for each tool in test/matrix/expected.tsv").toEqual(
      matrix
        .slice(1)
        .map((row) => row.split("\t")[0])
        .toSorted(),
    );
    for (const [name, tool] of Object.entries(tools)) {
      expect(tool.name).toBe(name);
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(tool.description.length).toBeGreaterThan(60);
      for (const scope of tool.scopes) expect(scope).toMatch(/^system\/[A-Z]\w+\.c?r?u?d?s?$/);
      expect(z.toJSONSchema(tool.input, { io: "input" })).toMatchObject({ type: "object" });
    }
    expect(tools["getPatientInfo"]?.annotations.readOnlyHint).toBe(true);
    expect(tools[schedule]?.annotations.readOnlyHint).toBe(false);
  });

  it("has one line to say for every failure there is", () => {
    for (const code of errorCodes) expect(sentences[code], code).toMatch(/^[A-Z][^\n_{}<>]+[.?]$/);
  });
});

describe("a tool call", () => {
  it("for a tool that is none of ours is answered without any work", async () => {
    for (const name of ["transferCall", "toString", "__proto__", ""]) {
      const { answer, requests } = await t.cost(() => t.phone(0).use(name));
      expect([answer, requests]).toEqual([{ ok: false, code: "unknown_tool", speech: sentences.unknown_tool }, []]);
    }
  });

  it("of a tenant over its limit is asked to wait a moment, in the caller's language, unless it hands over to people; another tenant's runs", async () => {
    const window = Math.floor(Date.now() / 10_000);
    const runs = Object.fromEntries([window - 1, window, window + 1, window + 2].map((at) => [`runs_${at}`, 100_000]));
    const { store } = t.context(0);
    await store.writeUnaudited(put(keys.toolRunCounts(), { expiresAt: Math.floor(Date.now() / 1000) + 600, ...runs }));
    try {
      const caller = t.phone(0);
      for (const [language, speech] of [
        ["en", sentences.too_many_requests],
        ["es", "En este momento hay mucho movimiento. Por favor deme un momento y vuelva a preguntar."],
      ] as const)
        expect(await caller.use("getOfficeInfo", { language })).toEqual({ ok: false, code: "too_many_requests", speech });
      expect(await t.phone(1).use("getOfficeInfo")).toMatchObject({ ok: true });
      const handsOver = Object.values(tools).filter(({ runsInEmergency }) => runsInEmergency);
      expect(handsOver.length).toBeGreaterThan(0);
      for (const { name } of handsOver) expect((await caller.use(name)).code).not.toBe("too_many_requests");
    } finally {
      await store.writeUnaudited(remove(keys.toolRunCounts()));
    }
  });

  it("C04, V01: says the line of an emergency and nothing else for each argument of each tool, also of an unknown one", async () => {
    for (const name of [...Object.keys(tools), "transferCall"])
      for (const args of [
        { [name === schedule ? "service" : "anything"]: "chest pain" },
        "he stopped breathing",
        { deep: [{ er: "she is turning blue" }] },
        '{"action":"fi", chest pain',
        { action: "find", chest_pain: true },
        { category: "symptoms", message: "I have chest pain and cannot breathe" },
        { reason: "chest pain", outcome: "nurse" },
      ])
        expect(await t.phone(0).use(name, args), `${name} ${JSON.stringify(args)}`).toEqual({ ok: true, speech: line });
    expect(await t.phone(1).use(schedule, { service: "me duele el pecho" })).toEqual({
      ok: true,
      speech: "Si es una emergencia, por favor cuelgue y llame al 911 ahora mismo.",
    });
  });

  it("V01: of an emergency asks the record system nothing, leaves one task per call and kind for its own clinic, and an audit row per run", async () => {
    const phone = t.phone(0, "+16175550199");
    const emergency = (args: unknown) => phone.use(schedule, args);
    const { requests } = await t.ehrRequests(() => emergency({ service: "chest pain" }));
    expect(requests).toEqual([]);
    await Promise.all([emergency({ service: "chest pain" }), emergency({ reason: "I can't breathe" })]);
    await phone.use("transferCall", { why: "my face is numb on one side" });
    await emergency({ reason: "I want to kill myself" });
    const ours = (await listTasks(t.context(0), { limit: 200 })).rows.filter(({ callId }) => callId === phone.callKey);
    expect(ours).toMatchObject([
      { kind: "emergency", closedAt: null },
      { kind: "emergency", closedAt: null },
    ]);
    const about = await Promise.all(ours.map(async ({ id }) => (await readTask(t.context(0), id)).about));
    expect(about).toEqual([
      { tool: schedule, action: "self_harm", urgent: true, phone: "16175550199" },
      { tool: schedule, action: "medical", urgent: true, phone: "16175550199" },
    ]);
    expect((await listTasks(t.context(1), { limit: 200 })).rows.filter(({ callId }) => callId === phone.callKey)).toEqual([]);
    const rows = await t.audits(0, phone.callKey);
    const runs = rows.filter(({ action }) => action === `tool.${schedule}`);
    expect(runs.map(({ success, code }) => [success, code])).toEqual(runs.map(() => [false, "emergency"]));
    expect(runs).toHaveLength(4);
    expect(rows.filter(({ action }) => action === "tool.emergency")).toMatchObject([{ detail: { tool: "unknown" } }]);
    expect(rows.filter(({ detail }) => detail?.["taskId"])).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toMatch(/chest|breathe|kill|0199/);
  });

  it("names no number to dial in the task of an emergency where a call token hides the caller's", async () => {
    const phone = t.phone(0);
    const mark = "123456789012345";
    await runTools(t.context(0), [{ ...phone.call(schedule, { service: "chest pain" }), callerNumber: undefined, callerMark: mark }]);
    const [task] = (await listTasks(t.context(0), { limit: 200 })).rows.filter(({ callId }) => callId === phone.callKey);
    const { about } = await readTask(t.context(0), task!.id);
    expect(about).toEqual({ tool: schedule, action: "medical", urgent: true });
  });

  it("V01: starts no other tool of a request in which one tells of an emergency", async () => {
    const phone = t.phone(0);
    const calls = [phone.call(schedule, { action: "find" }), phone.call("getFhirProviders", { name: "chest pain" })];
    const { answer, requests } = await t.ehrRequests(() => runTools(t.context(0), calls));
    expect([answer, requests]).toEqual([calls.map(() => ({ ok: true, speech: line })), []]);
  });

  it("V01: says the line of an emergency when little time is left, to an ended call, and when nothing can be stored", async () => {
    const phone = t.phone(0);
    expect(await runTools(t.context(0, { deadlineMs: 500 }), [phone.call(schedule, { service: "chest pain" })])).toEqual([
      { ok: true, speech: line },
    ]);
    const ended = t.phone(0);
    await ended.hangUp();
    expect((await t.cost(() => ended.use(schedule, { service: "chest pain" }))).writes).toBe(0);
    const ctx = t.context(0);
    const store = { ...ctx.store, batchGet: () => Promise.reject(new Error("The table does not answer")) };
    expect(await runTool({ ...ctx, store }, t.phone(0).call(schedule, { service: "chest pain" }))).toEqual({ ok: true, speech: line });
  });

  it("takes its arguments as an object, as JSON text, and as nothing", async () => {
    for (const args of [
      { action: "find" },
      '{"action":"find"}',
      JSON.stringify('{"action":"find"}'),
      {},
      "",
      null,
      undefined,
      '{"action":"","date":null,"unheardOf":1}',
    ])
      expect(await t.phone(0).use(schedule, args), JSON.stringify(args)).toMatchObject({ ok: true, output: { result: "found" } });
  });

  it("keeps details for the model out of the spoken sentence and returns them beside it", async () => {
    expect(await t.phone(1).use(schedule, { action: "destroy", timeOfDay: "noon" })).toEqual({
      ok: false,
      code: "invalid_arguments",
      speech: "Would you like to book, change or cancel an appointment?",
      fields: { action: "one of find, book, list, reschedule, cancel", timeOfDay: "one of morning, afternoon, evening" },
    });
  });

  it("with broken arguments asks for them, with one audit row and one write unit", async () => {
    const deep = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`) as unknown;
    for (const [args, speech] of [
      [deep(52), sentences.invalid_arguments],
      [deep(3000), sentences.invalid_arguments],
      [{ timeOfDay: "__proto__" }, "Would you like the morning, the afternoon or the evening?"],
      [{ timeOfDay: "constructor" }, "Would you like the morning, the afternoon or the evening?"],
      [{ date: { day: 1 } }, "What day would you like?"],
      ['{"action":"fi', sentences.invalid_arguments],
      [[1], sentences.invalid_arguments],
      ["find", sentences.invalid_arguments],
      [{ action: "destroy" }, "Would you like to book, change or cancel an appointment?"],
    ] as const) {
      const phone = t.phone(0);
      const { answer, writes } = await t.cost(() => phone.use(schedule, args));
      expect([answer, writes]).toEqual([{ ok: false, code: "invalid_arguments", speech, fields: expect.anything() }, 1]);
      expect(await t.audits(0, phone.callKey)).toMatchObject([
        { success: false, code: "invalid_arguments", category: "api_call", action: `tool.${schedule}` },
      ]);
    }
  });

  it("of a call that has ended is refused, also one that was answered before, and nothing is written", async () => {
    const caller = await t.verified(0, 0);
    const [slot] = outputOf(await t.phone(0).use(schedule)).slots;
    const book = caller.call(schedule, { slotId: slot!.slotId });
    await runTool(t.context(0), book);
    await caller.hangUp();
    for (const call of [
      book,
      caller.call(schedule, {}),
      caller.call("getPatientInfo", {}),
      caller.call("verifyPatientIdentity", t.claimOf(0)),
      caller.call(schedule, "{"),
    ]) {
      const { answer, writes } = await t.cost(() => runTool(t.context(0), call));
      expect([answer, writes], call.name).toEqual([{ ok: false, code: "forbidden", speech: sentences.forbidden }, 0]);
    }
  });

  it("of a tenant that was switched off, or has no EHR, is a spoken no", async () => {
    const { platform } = t.platform.ctx;
    const change = (set: object) =>
      platform.inTenant(t.platform.clinics[1].tenantId).commit([update(keys.tenantConfig(), { set })], {
        category: "configuration_change",
        action: "tenant.update",
        resourceType: "Tenant",
      });
    await change({ isActive: false });
    expect(await t.phone(1).use(schedule)).toEqual({ ok: false, code: "tenant_inactive", speech: sentences.tenant_inactive });
    await change({ isActive: true, fhirProviderId: "" });
    const phone = t.phone(1);
    expect(await phone.use(schedule)).toEqual({ ok: false, code: "ehr_not_configured", speech: sentences.ehr_not_configured });
    expect(await t.audits(1, phone.callKey)).toMatchObject([{ success: false, code: "ehr_not_configured" }]);
    await change({ fhirProviderId: t.providers[1] });
  });

  it("knows only its own tenant's calls: the same call id at another tenant is another call", async () => {
    const caller = await t.verified(0, 1);
    const theirs = { ...caller.call("getPatientInfo", {}) };
    expect(await runTool(t.context(1), theirs)).toMatchObject({ code: "identity_required" });
    expect(await t.context(1).store.get<CallStateRow>(keys.callState(caller.callKey))).toBeUndefined();
    const [slot] = outputOf(await t.phone(0).use(schedule)).slots;
    const book = caller.call(schedule, { slotId: slot!.slotId });
    expect(await runTool(t.context(0), book)).toMatchObject({ ok: true });
    const before = await t.audits(0);
    expect(await runTool(t.context(1), book)).toMatchObject({ ok: false, code: "identity_required" });
    await runTool(t.context(1), caller.call("verifyPatientIdentity", t.claimOf(2)));
    await runTool(t.context(1), book);
    expect(await t.audits(0)).toEqual(before);
    expect(
      (await t.appointments(0, t.patients[2]!.id)).filter(({ slot: taken }) => taken?.[0]?.reference === `Slot/${slot!.slotId}`),
    ).toEqual([]);
    expect(await caller.state()).toMatchObject({ patientId: t.patients[1]!.id });
  });

  it("is answered in time even when something never ends", async () => {
    const ctx = { ...t.context(0, { deadlineMs: 1200 }), openEhr: () => new Promise<never>(() => {}) };
    const phone = t.phone(0);
    expect(await runTool(ctx, phone.call(schedule, {}))).toEqual({
      ok: false,
      code: "deadline_exceeded",
      speech: sentences.deadline_exceeded,
    });
    expect(await t.audits(0, phone.callKey)).toMatchObject([{ success: false, code: "deadline_exceeded" }]);
  });

  it("has nothing going on any more when it is answered, also when one of two searches failed at once", async () => {
    const ctx = t.context(0);
    let ended = 0;
    const uneven: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        return {
          ...ehr,
          search: async (type) => {
            if (type === "Schedule" || type === "Appointment") throw new AppError("ehr_unavailable", "injected");
            await sleep(150);
            ended += 1;
            return [];
          },
        };
      },
    };
    expect(await runTool(uneven, t.phone(0).call(schedule, {}))).toMatchObject({ ok: false, code: "ehr_unavailable" });
    expect(ended).toBe(1);
    const caller = await t.verified(0, 0);
    const start = new Date(Date.now() + 86_400_000).toISOString();
    expect(await runTool(uneven, caller.call(schedule, { action: "book", start }))).toMatchObject({ ok: false, code: "ehr_unavailable" });
    expect(ended).toBe(2);
  });

  it("that is still being worked on elsewhere is told to wait; one whose worker died is taken up", async () => {
    const caller = await t.verified(0, 3);
    const [slot] = outputOf(await t.phone(0).use(schedule)).slots;
    const { appointmentId } = outputOf(await caller.use(schedule, { slotId: slot!.slotId })).appointment;
    const args = { action: "cancel", appointmentId };
    const call = caller.call(schedule, args);
    const key = keys.idempotency(await t.requestKey(0, call));
    const started = (ageMs: number): IdempotencyRow => ({
      status: "started",
      tool: schedule,
      callKey: caller.callKey,
      startedAtMs: Date.now() - ageMs,
      requestId: "other",
      expiresAt: Math.floor(Date.now() / 1000) + 600,
    });
    await t.context(0).store.writeUnaudited(put(key, started(1000)));
    const { answer, writes } = await t.cost(() => runTool(t.context(0), call));
    expect([answer, writes]).toEqual([{ ok: false, code: "in_progress", speech: sentences.in_progress }, 0]);
    await t.context(0).store.writeUnaudited(put(key, started(60_000)));
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { result: "cancelled" } });
  });

  it("under an id that was used for something else is another request", async () => {
    const caller = await t.verified(0, 4);
    const [one, two] = outputOf(await t.phone(0).use(schedule)).slots;
    const answers = [];
    for (const slot of [one, two])
      answers.push(outputOf(await caller.use(schedule, { slotId: slot!.slotId }, { toolCallId: "call_1" })).appointment?.start);
    expect(answers).toEqual([one!.start, two!.start]);
  });

  it("keeps its first answer sealed: the row shows nothing of it", async () => {
    const caller = await t.verified(0, 5);
    const [slot] = outputOf(await t.phone(0).use(schedule)).slots;
    const args = { action: "book", slotId: slot!.slotId };
    const call = caller.call(schedule, args);
    await runTool(t.context(0), call);
    const row = await t.context(0).store.get<IdempotencyRow>(keys.idempotency(await t.requestKey(0, call)));
    expect(row).toMatchObject({ status: "done", tool: schedule });
    expect(JSON.stringify(row)).not.toMatch(/2026-|slot-|Dr\.|patient/);
  });

  it("leaves no patient data in log lines, audit rows or printed output", async () => {
    const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    t.lines.length = 0;
    const caller = t.phone(0);
    await caller.use("verifyPatientIdentity", { ...t.claimOf(0), zipCode: "99998" });
    await caller.use("verifyPatientIdentity", { ...t.claimOf(0), zipCode: t.patients[0]!.zip });
    await caller.use("getPatientInfo");
    const [slot] = outputOf(await caller.use(schedule)).slots;
    const booked = outputOf(await caller.use(schedule, { slotId: slot!.slotId }));
    await t.fault(0, { kind: "html", match: { path: "/r4/Appointment" } });
    await caller.use(schedule, { action: "cancel", appointmentId: booked.appointment.appointmentId }, { deadlineMs: 2500 });
    await t.heal();
    await caller.use("verifyPatientIdentity", { firstName: t.patients[0]!.given });
    const said = [...printed.mock.calls, ...errors.mock.calls].map(([chunk]) => String(chunk)).join("");
    vi.restoreAllMocks();
    const everything = JSON.stringify([t.lines, await t.audits(0, caller.callKey), said]);
    const { given, family, birthDate, phone, zip, mrn } = t.patients[0]!;
    expect(t.lines.length).toBeGreaterThan(5);
    for (const secret of [given, family, birthDate, phone, phone.slice(-10), zip, "99998", mrn, `${given}.${family}`.toLowerCase()])
      expect(everything).not.toContain(secret);
    expect(JSON.stringify(t.lines)).not.toContain(t.patients[0]!.id);
  });
});
