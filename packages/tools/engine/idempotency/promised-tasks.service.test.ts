import { AppError } from "@vitaline/core";
import { listTasks, readTask } from "@vitaline/tasks";
import type { Patient } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recoverWrite, runTool, type ToolContext } from "../../index.ts";
import { outputOf, startTools, type Tools } from "../../test/tools.fixture.ts";

const schedule = "scheduleAppointment";
let t: Tools;
beforeAll(async () => {
  t = await startTools();
  // It takes no note with a booking.
  await t.connect(0, { personality: "cerner-like", version: "R4" });
}, 60_000);
afterAll(() => t.close());

const changeChart = async (index: number, change: Partial<Patient>): Promise<void> => {
  const chart = await (await t.ehr(0)).read<Patient>("Patient", t.patients[index]!.id);
  await t.platform.clinics[0].sandbox.put({ ...chart, ...change } as never);
};
const tasksOf = async (callKey: string) => {
  const { rows } = await listTasks(t.context(0), { limit: 200 });
  const tasks = await Promise.all(rows.filter(({ callId }) => callId === callKey).map(({ id }) => readTask(t.context(0), id)));
  return tasks.map(({ kind, finding, closedAt, about }) => ({
    kind,
    finding,
    isClosed: closedAt !== null,
    interpreter: about.interpreter,
  }));
};

/** The booking is made, and its record, with the task for an interpreter, is lost. `isPlain`: nothing can be sealed or committed. */
async function lostBooking(index: number, isPlain = false) {
  await changeChart(index, { communication: [{ language: { coding: [{ code: "vi" }] }, preferred: true }] });
  const caller = await t.verified(0, index);
  const { appointments } = outputOf(await caller.use(schedule, { action: "list" }));
  const busy = new Set(appointments.map(({ start }) => start.slice(0, 10)));
  const { slots } = outputOf(await caller.use(schedule, { action: "find" }));
  const { slotId } = slots.find(({ start }) => !busy.has(start.slice(0, 10)))!;
  const call = caller.call(schedule, { action: "book", slotId });
  const ctx = t.context(0);
  let lost = 0;
  const commit: ToolContext["store"]["commit"] = async (...args) => {
    if (lost++ === 0 || (isPlain && args[0].length > 0)) throw new AppError("unavailable", "injected");
    return ctx.store.commit(...args);
  };
  expect(await runTool({ ...ctx, store: { ...ctx.store, commit } }, call)).toMatchObject({ code: "ehr_unknown_outcome" });
  const recover = async () => recoverWrite(t.context(0), await t.requestKey(0, call));
  return { caller, recover, again: () => runTool(t.context(0), call) };
}

const interpreter = { kind: "interpreter", finding: null, isClosed: false, interpreter: "Vietnamese" };
const found = { kind: "unconfirmed_action", finding: "happened" };

describe("the task for an interpreter of a booking whose record was lost", () => {
  it("is made once when the retry job finds the booking", async () => {
    const { caller, recover, again } = await lostBooking(1);
    expect((await tasksOf(caller.callKey)).map(({ kind }) => kind)).toEqual(["unconfirmed_action"]);
    expect([await recover(), await recover()]).toEqual(["done", "done"]);
    expect(await again()).toMatchObject({ ok: true, output: { result: "booked" } });
    const tasks = await tasksOf(caller.callKey);
    expect(tasks).toHaveLength(2);
    expect(tasks).toEqual(expect.arrayContaining([interpreter, expect.objectContaining({ ...found, isClosed: false })]));
  });

  it("is made once when the caller asks again before that", async () => {
    const { caller, recover, again } = await lostBooking(2);
    expect(await again()).toMatchObject({ ok: true, output: { result: "booked" } });
    expect(await recover()).toBe("done");
    const tasks = await tasksOf(caller.callKey);
    expect(tasks).toHaveLength(2);
    expect(tasks).toEqual(expect.arrayContaining([interpreter, expect.objectContaining({ ...found, isClosed: true })]));
  });

  it("is made for a chart that was closed since, and where nothing could be sealed", async () => {
    const closed = await lostBooking(3);
    await changeChart(3, { active: false });
    expect(await closed.recover()).toBe("done");
    await changeChart(3, { active: true });
    expect(await tasksOf(closed.caller.callKey)).toContainEqual(interpreter);

    const plain = await lostBooking(4, true);
    expect(await plain.recover()).toBe("done");
    const tasks = await tasksOf(plain.caller.callKey);
    expect(tasks).toHaveLength(2);
    expect(tasks).toEqual(expect.arrayContaining([interpreter, { ...found, isClosed: false, interpreter: "Vietnamese" }]));
  });

  it("is named in the audit beside the task to confirm the booking, where the retry job makes both", async () => {
    const { caller, recover } = await lostBooking(0, true);
    expect(await recover()).toBe("done");
    const { rows } = await listTasks(t.context(0), { limit: 200 });
    const idOf = (kind: string) => rows.find((row) => row.callId === caller.callKey && row.kind === kind)?.id;
    const settled = (await t.audits(0, caller.callKey)).filter(({ action }) => action === "tool.settle");
    expect(settled.map(({ detail }) => [detail?.["taskId"], detail?.["promisedTaskId"]])).toEqual([
      [idOf("unconfirmed_action"), idOf("interpreter")],
    ]);
    expect([idOf("unconfirmed_action"), idOf("interpreter")]).not.toContain(undefined);
  });

  it("does not keep a booking from being settled where neither is left", async () => {
    const { caller, recover } = await lostBooking(5, true);
    await changeChart(5, { active: false });
    expect(await recover()).toBe("done");
    await changeChart(5, { active: true });
    expect((await tasksOf(caller.callKey)).map(({ kind }) => kind)).toEqual(["unconfirmed_action"]);
  });
});
