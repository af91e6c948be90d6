import { AppError } from "@vitaline/core";
import { keys, type DueRow, type IdempotencyRow } from "@vitaline/store";
import { partitions } from "@vitaline/store/keys.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { recoverWrite, runTool, type ToolContext } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { outputOf, startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());
afterEach(async () => {
  t.platform.aws.fault();
  await t.heal();
});

const tool = "scheduleAppointment";
const onBooking = { method: "POST", path: "/r4/Appointment" };
// Searches also use POST, at a longer path; with `times` only the booking fails.
const runsOf = async (callKey: string) => (await t.audits(0, callKey)).filter(({ action }) => action === `tool.${tool}`);

async function aboutToBook(index: number) {
  const caller = await t.verified(0, index);
  const [slotId = ""] = await t.unusedSlots(0, 1);
  const args = { action: "book", slotId };
  const call = caller.call(tool, args);
  const requestKey = await t.requestKey(0, call);
  return {
    caller,
    slotId,
    call,
    requestKey,
    send: (deadlineMs = 10_000, laterMs = 0) => runTool(t.context(0, { deadlineMs, laterMs }), call),
    row: () => t.context(0).store.get<IdempotencyRow>(keys.idempotency(requestKey)),
    made: async () => (await t.appointments(0, caller.patientId)).filter(({ slot: taken }) => taken?.[0]?.reference === `Slot/${slotId}`),
  };
}
const booked = { ok: true, output: { result: "booked" } };
const due = async () =>
  (await Promise.all(["0", "1", "2", "3"].map((shard) => t.platform.ctx.platform.query<DueRow>(partitions.due(shard))))).flatMap(
    ({ rows }) => rows,
  );

/** Fails the first POST to the collection itself. */
const striking = (ctx: ToolContext, kind: string, more: object = {}): ToolContext => ({
  ...ctx,
  openEhr: async (tenant, options) => {
    const ehr = await ctx.openEhr(tenant, options);
    return {
      ...ehr,
      create: async (resource, options) => (await t.fault(0, { kind, match: onBooking, times: 1, ...more }), ehr.create(resource, options)),
    };
  },
});

describe("booking while the EHR has troubles", () => {
  it("says so when it is off, and books when the same request comes again", async () => {
    const { send, made, caller } = await aboutToBook(0);
    await t.fault(0, { kind: "down" });
    expect(await send(3000)).toEqual({ ok: false, code: "ehr_unavailable", speech: sentences.ehr_unavailable });
    await t.heal();
    expect(await made()).toEqual([]);
    expect(await send()).toMatchObject(booked);
    expect(await made()).toHaveLength(1);
    expect(await runsOf(caller.callKey)).toMatchObject([
      { success: false, code: "ehr_unavailable" },
      { success: true, detail: { booked: true } },
    ]);
  });

  it("answers before the deadline when it is slow, and writes its audit row", async () => {
    const { send, caller } = await aboutToBook(1);
    await t.fault(0, { kind: "slow", delayMs: 4000, match: { path: "/r4/Slot" } });
    expect(await send(2000)).toEqual({ ok: false, code: "ehr_timeout", speech: sentences.ehr_timeout });
    expect(await runsOf(caller.callKey)).toMatchObject([{ success: false, code: "ehr_timeout" }]);
  });

  it.each([
    ["has dropped our token", "401-once", {}],
    ["asks for a pause and says how long", "429", {}],
    ["asks for a pause without saying how long", "429-no-retry-after", {}],
    ["answers with an empty 201", "empty-201", {}],
  ])("books once when it %s", async (_, kind, more) => {
    const { call, made } = await aboutToBook(2);
    expect(await runTool(striking(t.context(0), kind, more), call)).toMatchObject(booked);
    expect(await made()).toHaveLength(1);
  });

  it("offers other times when the slot was just taken, and repeats that answer on a retry", async () => {
    const { call, made, slotId, send, caller } = await aboutToBook(3);
    const answer = await runTool(striking(t.context(0), "slot-taken"), call);
    expect(answer).toMatchObject({ ok: false, code: "slot_taken", output: { result: "taken" } });
    expect(outputOf(answer).slots.map((other) => other.slotId)).not.toContain(slotId);
    expect(await send()).toEqual(answer);
    expect([await made(), await runsOf(caller.callKey)]).toMatchObject([[], [{ success: false, code: "slot_taken" }]]);
  });

  it("finds the appointment when the EHR has made it and never said so", { timeout: 20_000 }, async () => {
    const { call, made, caller } = await aboutToBook(4);
    expect(await runTool(striking(t.context(0), "hang"), call)).toMatchObject(booked);
    expect(await made()).toHaveLength(1);
    expect(await runsOf(caller.callKey)).toMatchObject([{ success: true, detail: { booked: true } }]);
  });
});

describe("an unknown outcome", () => {
  it("is looked up by the retry job: found, it is the answer to every repetition, and counted once", async () => {
    const { call, made, row, requestKey, send, caller } = await aboutToBook(5);
    expect(await runTool(striking(t.context(0, { deadlineMs: 2000 }), "hang"), call)).toEqual({
      ok: false,
      code: "ehr_unknown_outcome",
      speech: sentences.ehr_unknown_outcome,
    });
    expect(await row()).toMatchObject({ status: "unknown" });
    expect(JSON.stringify(await row())).not.toContain(caller.patientId);
    expect(await due()).toContainEqual(
      expect.objectContaining({ kind: "idempotency", tenantId: t.platform.clinics[0].tenantId, id: requestKey }),
    );
    expect(await recoverWrite(t.context(0), requestKey)).toBe("done");
    expect(await recoverWrite(t.context(0), requestKey)).toBe("done");
    expect(await made()).toHaveLength(1);
    expect(await send()).toMatchObject(booked);
    // `tool.settle` rows are not runs.
    expect(await runsOf(caller.callKey)).toMatchObject([{ success: false, code: "ehr_unknown_outcome" }]);
    expect((await t.audits(0, caller.callKey)).filter(({ action }) => action === "tool.settle")).toMatchObject([
      { success: true, category: "patient_access", detail: { tool, booked: true, platform: "vapi" } },
    ]);
  });

  it("is not told as a taken time when the call asks for it again, so that no second visit is booked beside it", async () => {
    const { call, caller, slotId, made } = await aboutToBook(2);
    expect(await runTool(striking(t.context(0), "html"), call)).toMatchObject({ code: "ehr_unknown_outcome" });
    expect(await caller.use(tool, { action: "book", slotId })).toMatchObject({ ok: false, code: "in_progress" });
    const other = await t.verified(0, 3);
    expect(await other.use(tool, { action: "book", slotId })).toMatchObject({ ok: false, code: "slot_taken" });
    expect(await made()).toEqual([]);
  });

  it("is found at a server without a search by identifier, behind more past visits than a search returns", async () => {
    const { call, made, send, caller } = await aboutToBook(4);
    const past = Array.from({ length: 100 }, (_, at) => ({
      ...{ resourceType: "Appointment", id: `past-${at}`, status: "fulfilled", start: "2020-01-01T15:00:00Z" },
      participant: [{ actor: { reference: `Patient/${caller.patientId}` }, status: "accepted" }],
    }));
    const withoutIdentifier = (ctx: ToolContext): ToolContext => ({
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        const search = async (type: string, params: Record<string, unknown>, more: object) =>
          type === "Appointment" && params["date"] === undefined ? past : ehr.search(type as never, params as never, more as never);
        return {
          ...ehr,
          search: search as never,
          capability: async (options) => {
            const known = await ehr.capability(options);
            return { ...known, searchParams: (type) => known.searchParams(type).filter((name) => name !== "identifier") };
          },
        };
      },
    });
    await runTool(striking(t.context(0, { deadlineMs: 2000 }), "hang"), call);
    expect(await recoverWrite(withoutIdentifier(t.context(0)), await t.requestKey(0, call))).toBe("done");
    expect(await made()).toHaveLength(1);
    expect(await send()).toMatchObject(booked);
  });

  it("is searched for before a retry sends anything", async () => {
    const { call, made, row, send, caller } = await aboutToBook(0);
    await runTool(striking(t.context(0, { deadlineMs: 2000 }), "hang"), call);
    t.lines.length = 0;
    expect(await send()).toMatchObject(booked);
    expect(t.lines.map(({ fields }) => fields["operation"])).not.toContain("create Appointment");
    expect([(await made()).length, await row()]).toMatchObject([1, { status: "done" }]);
    expect((await runsOf(caller.callKey)).filter(({ detail }) => detail?.["booked"])).toHaveLength(1);
  });

  it("stays open while it may still show up, and is settled as not done after that", async () => {
    const { call, made, requestKey, send, row } = await aboutToBook(1);
    expect(await runTool(striking(t.context(0), "html"), call)).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    expect(await made()).toEqual([]);
    expect(await recoverWrite(t.context(0), requestKey)).toBe("open");
    expect(await recoverWrite(t.context(0, { laterMs: 61_000 }), requestKey)).toBe("done");
    expect(await row()).toMatchObject({ status: "done" });
    const settled = (await t.audits(0, call.callKey)).filter(({ action }) => action === "tool.settle");
    expect(settled).toMatchObject([{ success: false, code: "ehr_unavailable", resourceType: "Patient" }]);
    expect(await send()).toMatchObject({ ok: false, code: "ehr_unavailable" });
    expect(await made()).toEqual([]);
  });

  it("that did not happen is done by the retry, once", async () => {
    const { call, made, send } = await aboutToBook(2);
    await runTool(striking(t.context(0), "html"), call);
    expect(await send()).toMatchObject(booked);
    expect(await made()).toHaveLength(1);
  });

  it("is left for later while the EHR cannot be asked", async () => {
    const { call, requestKey, row } = await aboutToBook(3);
    await runTool(striking(t.context(0), "html"), call);
    await t.fault(0, { kind: "down" });
    await expect(recoverWrite(t.context(0, { deadlineMs: 2500, laterMs: 61_000 }), requestKey)).rejects.toMatchObject({
      code: "ehr_unavailable",
    });
    expect(await row()).toMatchObject({ status: "unknown" });
  });

  it("after our own database failed is found by the retry: one appointment, counted once", async () => {
    const { made, send, caller } = await aboutToBook(4);
    t.platform.aws.fault(({ operation }) =>
      operation === "TransactWriteItems" ? { status: 500, code: "InternalServerError", message: "injected" } : undefined,
    );
    expect(await send()).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    t.platform.aws.fault();
    expect(await made()).toHaveLength(1);
    expect(await send()).toMatchObject(booked);
    expect(await made()).toHaveLength(1);
    expect(await runsOf(caller.callKey)).toMatchObject([
      { success: false, code: "ehr_unknown_outcome" },
      { success: true, detail: { booked: true } },
    ]);
  });

  it("that neither a key nor a transaction could record is left for the retry job, which counts it once", async () => {
    const { made, send, caller, row, requestKey } = await aboutToBook(5);
    const failing = { status: 500, code: "InternalServerError", message: "injected" };
    t.platform.aws.fault(({ operation }) => (["TransactWriteItems", "GenerateDataKey"].includes(operation) ? failing : undefined));
    expect(await send()).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    t.platform.aws.fault();
    expect(await row()).toMatchObject({ status: "unknown", plannedWrite: expect.any(Object) as object });
    expect(await recoverWrite(t.context(0), requestKey)).toBe("done");
    expect(await row()).not.toHaveProperty("plannedWrite");
    expect(await made()).toHaveLength(1);
    expect((await t.audits(0, caller.callKey)).filter(({ detail }) => detail?.["booked"])).toHaveLength(1);
    expect(await send()).toMatchObject(booked);
  });
});

describe("a change of time that breaks off half way", () => {
  async function aboutToMove(index: number) {
    const caller = await t.verified(0, index);
    const [from = "", to = ""] = await t.unusedSlots(0, 2);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: from })).appointment;
    const args = { action: "reschedule", appointmentId, slotId: to };
    const call = caller.call(tool, args);
    const slots = async () => [(await t.slot(0, from)).status, (await t.slot(0, to)).status];
    return { caller, call, slots, requestKey: await t.requestKey(0, call) };
  }

  it("keeps both times until the EHR is back, then the retry job gives up the old one", async () => {
    const { call, slots, requestKey, caller } = await aboutToMove(0);
    await t.fault(0, { kind: "503", match: { method: "PUT", path: "/r4/Appointment" } });
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    expect(await slots()).toEqual(["busy", "busy"]);
    await t.heal();
    expect(await recoverWrite(t.context(0), requestKey)).toBe("done");
    expect(await slots()).toEqual(["free", "busy"]);
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { result: "rescheduled" } });
    expect((await t.audits(0, caller.callKey)).filter(({ action }) => action === "tool.settle")).toHaveLength(1);
    expect((await runsOf(caller.callKey)).filter(({ detail }) => detail?.["booked"])).toHaveLength(1);
  });

  it("is finished by a retry, too", async () => {
    const { call, slots } = await aboutToMove(1);
    await t.fault(0, { kind: "503", match: { method: "PUT", path: "/r4/Appointment" } });
    await runTool(t.context(0), call);
    await t.heal();
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { result: "rescheduled" } });
    expect(await slots()).toEqual(["free", "busy"]);
  });

  it.each<[string, { system: string; value: string }[] | undefined]>([
    ["other identifiers of the new appointment stay", [{ system: "urn:ehr", value: "1" }]],
    ["no empty list is sent", undefined],
  ])("leaves the old time alone when the EHR does not let it go: %s", async (_, others) => {
    const { call, slots, caller } = await aboutToMove(2);
    const ctx = t.context(0);
    let refusals = 1;
    const strict: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        return {
          ...ehr,
          create: async (resource, options) =>
            ehr.create(
              "identifier" in resource
                ? ({ ...resource, identifier: [resource.identifier, others ?? []].flat() } as typeof resource)
                : resource,
              options,
            ),
          change: async (...args) => (refusals-- > 0 ? Promise.reject(new AppError("ehr_forbidden", "injected")) : ehr.change(...args)),
        };
      },
    };
    expect(await runTool(strict, call)).toMatchObject({ ok: false, code: "ehr_forbidden" });
    expect(await slots()).toEqual(["busy", "free"]);
    const [undone] = (await t.appointments(0, caller.patientId, "cancelled")).toSorted((a, b) =>
      (b.meta?.lastUpdated ?? "").localeCompare(a.meta?.lastUpdated ?? ""),
    );
    expect(undone?.identifier).toEqual(others);
    expect(await runTool(ctx, call)).toMatchObject({ ok: true, output: { result: "rescheduled" } });
    expect(await slots()).toEqual(["free", "busy"]);
  });
});

describe("a change of time whose old slot stays locked", () => {
  it("counts: the new time is kept", async () => {
    const caller = await t.verified(0, 3);
    const [from = "", to = ""] = await t.unusedSlots(0, 2);
    const { appointmentId } = outputOf(await caller.use(tool, { slotId: from })).appointment;
    const ctx = t.context(0);
    const withoutLocks: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => ({
        ...(await ctx.openEhr(tenant, options)),
        clearSlotLock: () => Promise.reject(new AppError("unavailable", "injected")),
      }),
    };
    const moved = await runTool(withoutLocks, caller.call(tool, { action: "reschedule", appointmentId, slotId: to }));
    expect(moved).toMatchObject({ ok: true, output: { result: "rescheduled", replaced: { appointmentId } } });
    expect([(await t.slot(0, from)).status, (await t.slot(0, to)).status]).toEqual(["free", "busy"]);
  });
});

describe("a cancellation that gets no answer", () => {
  it("is found done by the retry job", async () => {
    const { caller, send, slotId } = await aboutToBook(5);
    const { appointmentId } = outputOf(await send()).appointment;
    const args = { action: "cancel", appointmentId };
    const call = caller.call(tool, args);
    await t.fault(0, { kind: "hang", match: { method: "PUT" }, times: 1 });
    expect(await runTool(t.context(0, { deadlineMs: 2000 }), call)).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    expect(await recoverWrite(t.context(0), await t.requestKey(0, call))).toBe("done");
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { result: "cancelled" } });
    expect((await t.slot(0, slotId)).status).toBe("free");
    const told = (await t.audits(0, caller.callKey)).filter(({ success, detail }) => success && detail?.["confirmed"]);
    expect(told).toMatchObject([{ detail: { action: "cancel", cancelledId: appointmentId } }]);
  });

  it("is sent again by a retry when it did not happen", async () => {
    const { caller, send, slotId } = await aboutToBook(0);
    const { appointmentId } = outputOf(await send()).appointment;
    const call = caller.call(tool, { action: "cancel", appointmentId });
    await t.fault(0, { kind: "html", match: { method: "PUT" }, times: 1 });
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    expect((await t.slot(0, slotId)).status).toBe("busy");
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { result: "cancelled" } });
    expect((await t.slot(0, slotId)).status).toBe("free");
  });

  it("stays known as one of unknown outcome while the record system cannot be asked, and is found after that", async () => {
    const caller = await t.verified(0, 4);
    const [slotId] = await t.unusedSlots(0, 1);
    const { appointmentId } = outputOf(await caller.use(tool, { action: "book", slotId })).appointment;
    const call = caller.call(tool, { action: "cancel", appointmentId });
    await t.fault(0, { kind: "hang", match: { method: "PUT", path: `/r4/Appointment/${appointmentId}` }, times: 1 });
    expect(await runTool(t.context(0, { deadlineMs: 2000 }), call)).toMatchObject({ code: "ehr_unknown_outcome" });
    const row = async () => t.context(0).store.get<IdempotencyRow>(keys.idempotency(await t.requestKey(0, call)));
    const unknown = await row();
    expect(unknown).toMatchObject({ status: "unknown", taskId: expect.any(String) });
    await t.fault(0, { kind: "down" });
    expect(await runTool(t.context(0, { deadlineMs: 2000 }), call)).toMatchObject({ ok: false });
    expect(await row()).toEqual(unknown);
    await t.heal();
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { result: "cancelled" } });
    expect(await row()).toMatchObject({ status: "done" });
  });
});
