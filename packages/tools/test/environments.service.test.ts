import { AppError } from "@vitaline/core";
import { keys, type IdempotencyRow } from "@vitaline/store";
import type { FhirResource } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { recoverWrite, runTool, type ToolAnswer, type ToolCall, type ToolContext } from "../index.ts";
import { sentences } from "./sentences.fixture.ts";
import { countBooking } from "../scheduling/appointments.ts";
import { outputOf, startTools, type Tools } from "./tools.fixture.ts";

// Reset, since the mock does not reach modules that another file has loaded.
vi.hoisted(() => void vi.resetModules());
// Separate Lambda environments do not share the queue.
vi.mock("../engine/run-sequentially.ts", () => ({ runSequentially: (_key: string, work: () => Promise<unknown>) => work() }));

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(async () => {
  vi.resetModules();
  await t.close();
});
afterEach(async () => {
  t.platform.aws.fault();
  await t.heal();
});

const tool = "scheduleAppointment";
const busy = { ok: false, code: "in_progress", speech: sentences.in_progress };
const bookedRows = async (callKey: string) => (await t.audits(0, callKey)).filter(({ detail, success }) => success && detail?.["booked"]);
const holding = async (patientId: string, slotId: string) =>
  (await t.appointments(0, patientId)).filter(({ slot }) => slot?.[0]?.reference === `Slot/${slotId}`);
const rowOf = async (call: ToolCall) => t.context(0).store.get<IdempotencyRow>(keys.idempotency(await t.requestKey(0, call)));

type Steps = {
  beforeSearch?(type: string): Promise<unknown>;
  beforeCreate?(): Promise<unknown>;
  afterCreate?(): Promise<unknown>;
  beforeChange?(): Promise<unknown>;
};
const environment = (steps: Steps = {}, laterMs = 0): ToolContext => {
  const ctx = t.context(0, { laterMs });
  return {
    ...ctx,
    openEhr: async (tenant, options) => {
      const ehr = await ctx.openEhr(tenant, options);
      return {
        ...ehr,
        search: async <T extends FhirResource>(...args: Parameters<typeof ehr.search<T>>) => (
          await steps.beforeSearch?.(args[0]),
          ehr.search<T>(...args)
        ),
        create: async (...args) => {
          await steps.beforeCreate?.();
          const made = await ehr.create(...args);
          await steps.afterCreate?.();
          return made;
        },
        change: async (...args) => (await steps.beforeChange?.(), ehr.change(...args)),
      };
    },
  };
};
const gate = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: resolve, passed: promise };
};

describe("one request delivered to several environments at once", () => {
  it("books once, is audited as booked once, and gets one answer", async () => {
    for (let round = 0; round < 4; round++) {
      const caller = await t.verified(0, round);
      const [slotId = ""] = await t.unusedSlots(0, 1);
      const call = caller.call(tool, { action: "book", slotId });
      const answers = await Promise.all([1, 2, 3].map(() => runTool(environment(), call)));
      const [said] = answers.filter(({ ok }) => ok);
      expect(said).toMatchObject({ output: { result: "booked" } });
      for (const answer of answers) expect([said, busy]).toContainEqual(answer);
      expect(await holding(caller.patientId, slotId)).toHaveLength(1);
      expect(await bookedRows(caller.callKey)).toHaveLength(1);
      expect(await runTool(environment(), call)).toEqual(said);
    }
  });

  it("is told to wait while one of them is at the EHR, with one audit row and no stored trace", async () => {
    const caller = await t.verified(0, 0);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const call = caller.call(tool, { action: "book", slotId });
    const [reached, release] = [gate(), gate()];
    const first = runTool(environment({ beforeCreate: async () => (reached.open(), release.passed) }), call);
    await reached.passed;
    const { answer, writes } = await t.cost(() => runTool(environment(), call));
    expect([answer, writes]).toEqual([busy, 2]);
    expect(await rowOf(call)).toBeUndefined();
    release.open();
    expect(await first).toMatchObject({ ok: true, output: { result: "booked" } });
    expect(await runTool(environment(), call)).toEqual(await first);
    expect(await bookedRows(caller.callKey)).toHaveLength(1);
  });

  it("gets the first answer when a second run finds the appointment before the first has answered", async () => {
    const caller = await t.verified(0, 1);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const call = caller.call(tool, { action: "book", slotId });
    const [made, release] = [gate(), gate()];
    const first = runTool(environment({ afterCreate: async () => (made.open(), release.passed) }), call);
    await made.passed;
    const second = await runTool(environment(), call);
    const rows = await t.audits(0, caller.callKey);
    release.open();
    expect([second.ok, await first]).toEqual([true, second]);
    expect(await t.audits(0, caller.callKey)).toEqual(rows);
    expect(await bookedRows(caller.callKey)).toHaveLength(1);
  });

  it("keeps the yes, also when another environment has seen only that the time was taken", async () => {
    const caller = await t.verified(0, 2);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const { start, schedule } = await t.slot(0, slotId);
    const { actor } = await (
      await t.ehr(0)
    )
      .read("Schedule", schedule.reference?.replace("Schedule/", "") ?? "")
      .then((one) => one as { actor: { display?: string }[] });
    const call = caller.call(tool, { action: "book", start, practitioner: actor[0]?.display ?? "" });
    const [searched, made, refused] = [gate(), gate(), gate()];
    const searches: string[] = [];
    const slow = environment({
      beforeSearch: async (type) => {
        searches.push(type);
        if (type === "Slot") await (searched.open(), made.passed);
      },
    });
    const no = runTool(slow, call).finally(refused.open);
    await searched.passed;
    const yes = runTool(environment({ afterCreate: async () => (made.open(), refused.passed) }), call);
    expect([await no, await yes]).toMatchObject([
      { ok: false, code: "slot_taken" },
      { ok: true, output: { result: "booked" } },
    ]);
    expect(searches.slice(0, searches.indexOf("Slot")).filter((type) => type === "Appointment")).toHaveLength(1);
    expect(await runTool(environment(), call)).toEqual(await yes);
    expect(await bookedRows(caller.callKey)).toHaveLength(1);
  });

  it("cancels once, for one audit row of a success", async () => {
    const caller = await t.verified(0, 3);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId })).appointment;
    const call = caller.call(tool, { action: "cancel", appointmentId });
    const answers = await Promise.all([1, 2, 3].map(() => runTool(environment(), call)));
    const [said] = answers.filter(({ ok }) => ok);
    for (const answer of answers) expect([said, busy]).toContainEqual(answer);
    const cancelled = (await t.audits(0, caller.callKey)).filter(({ detail }) => detail?.["action"] === "cancel");
    expect(cancelled).toMatchObject([{ success: true }]);
    expect((await t.slot(0, slotId)).status).toBe("free");
  });

  it("moves an appointment once", async () => {
    const caller = await t.verified(0, 4);
    const [from = "", to = ""] = await t.unusedSlots(0, 2);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: from })).appointment;
    const call = caller.call(tool, { action: "reschedule", appointmentId, slotId: to });
    const answers = await Promise.all([1, 2, 3].map(() => runTool(environment(), call)));
    expect(answers.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    const moved = (await t.audits(0, caller.callKey)).filter(({ detail, success }) => success && detail?.["action"] === "reschedule");
    expect(moved).toHaveLength(1);
    expect([await holding(caller.patientId, from), await holding(caller.patientId, to)]).toMatchObject([[], [{ status: "booked" }]]);
    expect(await runTool(environment(), call)).toMatchObject({ ok: true, output: { result: "rescheduled" } });
  });

  it("of two that move one appointment at once one is done, and the other takes its new time back and says so", async () => {
    const caller = await t.verified(0, 4);
    const [from = "", to = "", elsewhere = ""] = await t.unusedSlots(0, 3);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: from })).appointment;
    const move = (slotId: string) => caller.call(tool, { action: "reschedule", appointmentId, slotId });
    const [reached, release] = [gate(), gate()];
    const slow = runTool(environment({ beforeChange: async () => (reached.open(), release.passed) }), move(to));
    await reached.passed;
    const fast = await runTool(environment(), move(elsewhere));
    release.open();
    expect(fast).toMatchObject({ ok: true, output: { result: "rescheduled" } });
    expect(await slow).toEqual({ ok: false, code: "ehr_conflict", speech: sentences.ehr_conflict });
    for (const [slotId, count] of [[from, 0] as const, [to, 0] as const, [elsewhere, 1] as const])
      expect(await holding(caller.patientId, slotId)).toHaveLength(count);
  });

  it("of a concurrent move and cancellation one succeeds, the other is told, and no appointment is lost silently", async () => {
    for (const first of ["cancel", "reschedule"] as const) {
      const caller = await t.verified(0, 5);
      const [from = "", to = ""] = await t.unusedSlots(0, 2);
      const { appointmentId } = outputOf(await caller.use(tool, { slotId: from })).appointment;
      const calls = {
        cancel: caller.call(tool, { action: "cancel", appointmentId }),
        reschedule: caller.call(tool, { action: "reschedule", appointmentId, slotId: to }),
      };
      const [reached, release] = [gate(), gate()];
      const second = calls[first === "cancel" ? "reschedule" : "cancel"];
      const slow = runTool(environment({ beforeChange: async () => (reached.open(), release.passed) }), second);
      await reached.passed;
      expect(await runTool(environment(), calls[first])).toMatchObject({ ok: true });
      release.open();
      expect(await slow).toMatchObject({ ok: false, code: "ehr_conflict" });
      expect(await holding(caller.patientId, from)).toEqual([]);
      expect(await holding(caller.patientId, to)).toHaveLength(first === "cancel" ? 0 : 1);
    }
  });

  it("of unknown outcome is taken up by one retry, and a late loser does not overwrite a known result", async () => {
    const caller = await t.verified(0, 5);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const call = caller.call(tool, { action: "book", slotId });
    const lost = environment({
      beforeCreate: () => t.fault(0, { kind: "html", match: { method: "POST", path: "/r4/Appointment" }, times: 1 }),
    });
    expect(await runTool(lost, call)).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    const answers = await Promise.all([1, 2, 3].map(() => runTool(environment(), call)));
    expect(answers.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    expect(await holding(caller.patientId, slotId)).toHaveLength(1);
    expect(await bookedRows(caller.callKey)).toHaveLength(1);
    expect(await rowOf(call)).toMatchObject({ status: "done" });
  });

  it("gets the answer that is known from an environment that does not know", async () => {
    const caller = await t.verified(0, 0);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const call = caller.call(tool, { action: "book", slotId });
    const [made, release] = [gate(), gate()];
    let lost = false;
    const unknowing = environment({
      afterCreate: async () => {
        made.open();
        await release.passed;
        lost = true;
        throw new AppError("ehr_unknown_outcome", "injected");
      },
      beforeSearch: async () => {
        if (lost) throw new AppError("ehr_unavailable", "injected");
      },
    });
    const first = runTool(unknowing, call);
    await made.passed;
    const second: ToolAnswer = await runTool(environment(), call);
    release.open();
    expect([second.ok, await first]).toEqual([true, second]);
    expect(await rowOf(call)).toMatchObject({ status: "done" });
    expect(await runTool(environment(), call)).toEqual(second);
    expect(await recoverWrite(environment(), await t.requestKey(0, call))).toBe("done");
    expect(await bookedRows(caller.callKey)).toHaveLength(1);
  });
});

describe("the claim of a request", () => {
  it("that another environment took over is not given up by the one that was too slow", async () => {
    const caller = await t.verified(0, 0);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId })).appointment;
    const call = caller.call(tool, { action: "cancel", appointmentId });
    const [reached, release] = [gate(), gate()];
    const slow = environment({
      beforeChange: async () => {
        reached.open();
        await release.passed;
        throw new AppError("ehr_forbidden", "injected");
      },
    });
    const first = runTool(slow, call);
    await reached.passed;
    const second = await runTool(environment({}, 31_000), call);
    release.open();
    expect(second).toMatchObject({ ok: true, output: { result: "cancelled" } });
    expect(await first).toEqual(second);
    expect(await runTool(environment(), call)).toEqual(second);
  });

  it("holds when the database took it and its answer was lost: the client's own second try is no second request", async () => {
    const caller = await t.verified(0, 1);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId })).appointment;
    let lost = 0;
    t.platform.aws.fault(({ operation }) => (operation === "PutItem" && lost++ === 0 ? "after" : undefined));
    const answer = await caller.use(tool, { action: "cancel", appointmentId });
    t.platform.aws.fault();
    expect(answer).toMatchObject({ ok: true, output: { result: "cancelled" } });
    expect(lost).toBeGreaterThan(1);
  });

  it("of a slot holds likewise", async () => {
    const caller = await t.verified(0, 2);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    let lost = 0;
    t.platform.aws.fault(({ operation }) => (operation === "PutItem" && lost++ === 0 ? "after" : undefined));
    const answer = await caller.use(tool, { slotId });
    t.platform.aws.fault();
    expect(answer).toMatchObject({ ok: true, output: { result: "booked" } });
    expect(lost).toBeGreaterThan(1);
  });

  it("of a booking's count holds likewise, and another booking at the same time is still refused", async () => {
    const caller = await t.verified(0, 2);
    const count = async (state: Awaited<ReturnType<typeof caller.state>>, executionKey: string) =>
      countBooking({ ctx: t.context(0), call: caller.call(tool, {}), state, executionKey });
    const before = await caller.state();
    let lost = 0;
    t.platform.aws.fault(({ operation }) => (operation === "UpdateItem" && lost++ === 0 ? "after" : undefined));
    await count(before, "one");
    t.platform.aws.fault();
    expect(lost).toBeGreaterThan(1);
    expect((await caller.state())?.[`countedBookings_${caller.patientId}`]).toBe(1);
    await expect(count(before, "two")).rejects.toMatchObject({ code: "in_progress" });
    expect((await caller.state())?.[`countedBookings_${caller.patientId}`]).toBe(1);
  });

  it("without an id of the tool call is the same only while its answer is still so", async () => {
    const caller = await t.verified(0, 2);
    const [slotId = ""] = await t.unusedSlots(0, 1);
    const say = (args: object) => runTool(environment(), { ...caller.call(tool, args), toolCallId: undefined });
    for (const { id: appointmentId } of await t.appointments(0, caller.patientId))
      await caller.use(tool, { action: "cancel", appointmentId });
    const start = (await t.slot(0, slotId)).start.slice(0, 10);
    const first = await say({ action: "book", slotId });
    const before = await t.audits(0, caller.callKey);
    expect(await say({ action: "book", slotId })).toEqual(first);
    expect(await t.audits(0, caller.callKey)).toEqual(before);
    const cancelled = await say({ action: "cancel", appointmentDate: start });
    expect(cancelled).toMatchObject({ ok: true, output: { result: "cancelled" } });
    expect(await say({ action: "cancel", appointmentDate: start })).toEqual(cancelled);
    const again = await say({ action: "book", slotId });
    expect(again).toMatchObject({ ok: true, output: { result: "booked" } });
    expect(outputOf(again).appointment.appointmentId).not.toBe(outputOf(first).appointment.appointmentId);
    expect(await holding(caller.patientId, slotId)).toHaveLength(1);
    expect(await say({ action: "cancel", appointmentDate: start })).toMatchObject({
      ok: true,
      output: { appointment: { appointmentId: outputOf(again).appointment.appointmentId } },
    });
    expect(await holding(caller.patientId, slotId)).toEqual([]);
  });

  it("of one patient is none for another who says the same on the same line", async () => {
    const caller = await t.verified(0, 3);
    const [one = "", two = ""] = await t.unusedSlots(0, 2);
    await caller.use(tool, { slotId: one });
    const asked = { ...caller.call(tool, { action: "book", slotId: two }), toolCallId: undefined };
    const mine = await runTool(environment(), asked);
    await caller.use("verifyPatientIdentity", t.claimOf(4));
    const theirs = await runTool(environment(), asked);
    expect(mine).toMatchObject({ ok: true, output: { result: "booked" } });
    expect(theirs.ok).toBe(false);
    await caller.use("verifyPatientIdentity", t.claimOf(3));
    expect((await holding(caller.patientId, two)).length).toBe(1);
  });
});
