import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recoverWrite, runTool, type ToolContext } from "../../index.ts";
import { outputOf, startTools, type Tools } from "../../test/tools.fixture.ts";
import { familiesOf, type Families } from "../../verifyPatientIdentity/claim/proxy.fixture.ts";

const [verify, schedule, message] = ["verifyPatientIdentity", "scheduleAppointment", "sendCommunicationFhir"];
let t: Tools;
let f: Families;
beforeAll(async () => {
  t = await startTools();
  f = familiesOf(t, 0);
}, 60_000);
afterAll(() => t.close());

const spoken = async (callKey: string, action: string) =>
  (await t.audits(0, callKey)).filter((one) => one.action === action).map(({ success, detail }) => [success, detail?.["actsFor"]]);

describe("the same request of another speaker in the call", () => {
  it("is one of its own, and reads no more than the patient's would", async () => {
    const child = await f.childOf(9);
    await f.approve(child);
    const phone = t.phone(0);
    const args = { category: "callback_request", message: "Please call me." };
    const ask = (toolCallId: string) => t.cost(() => phone.use(message, args, { toolCallId }));
    for (const toolCallId of ["", "same"]) {
      await phone.use(verify, f.asNora(child));
      const first = await ask(toolCallId);
      expect(first.answer).toMatchObject({ ok: true });
      expect((await ask(toolCallId)).answer).toEqual(first.answer);
      await phone.use(verify, f.asSam(child));
      const second = await ask(toolCallId);
      expect(second.answer).toMatchObject({ ok: true });
    }
    expect((await spoken(phone.callKey, `tool.${message}`)).toSorted()).toEqual([
      ...[true, true].map((ok) => [ok, "caregiver"]),
      ...[true, true].map((ok) => [ok, "parent"]),
    ]);
    const patient = await t.verified(0, 1);
    await patient.use(message, args);
    const own = await t.cost(() => patient.use(message, { ...args, message: "Hello" }));
    const asParent = t.phone(0);
    await asParent.use(verify, f.asNora(child));
    await asParent.use(message, args);
    expect((await t.cost(() => asParent.use(message, { ...args, message: "Hello" }))).requests).toEqual(own.requests);
  });
});

describe("a write of unknown outcome that a proxy asked for", () => {
  const unsure = async (kind: string, scope: "appointments" | "all") => {
    const adult = await f.patientOf(70);
    await f.approve(adult, { scope });
    const phone = t.phone(0);
    expect(await phone.use(verify, f.asSam(adult))).toMatchObject({ ok: true });
    const [from = "", to = ""] = await t.unusedSlots(0, 2);
    const { start, end } = await t.slot(0, from);
    const appointmentId = `visit-${adult.id}`;
    await f.put({
      ...{ resourceType: "Appointment", id: appointmentId, status: "booked", start, end },
      participant: [
        { actor: { reference: `Patient/${adult.id}` }, status: "accepted" },
        { actor: { reference: "Practitioner/practitioner-1", display: "Dr. Amara Larkmere" }, status: "accepted" },
      ],
    });
    const call = phone.call(schedule!, { action: "reschedule", appointmentId, slotId: to });
    const match = { method: kind === "html" ? "POST" : "PUT", path: "/r4/Appointment" };
    const ctx = t.context(0);
    const striking: ToolContext = {
      ...ctx,
      openEhr: async (tenant, options) => {
        const ehr = await ctx.openEhr(tenant, options);
        const create: typeof ehr.create = async (...args) => (await t.fault(0, { kind, match }), ehr.create(...args));
        return { ...ehr, create };
      },
    };
    if (kind === "503") await t.fault(0, { kind, match });
    const first = await runTool(kind === "html" ? striking : ctx, call);
    await t.heal();
    expect(first).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    const recover = async (laterMs = 0) => recoverWrite(t.context(0, { laterMs }), await t.requestKey(0, call));
    return { phone, recover, again: () => runTool(t.context(0), call) };
  };

  it("is found in their name, and its answer tells them no more than they may know", async () => {
    const { phone, recover, again } = await unsure("503", "appointments");
    expect(await recover()).toBe("done");
    expect(await spoken(phone.callKey, "tool.settle")).toEqual([[true, "caregiver"]]);
    const answer = await again();
    expect(answer).toMatchObject({ ok: true, output: { result: "rescheduled" } });
    expect(JSON.stringify(answer)).not.toContain("Larkmere");
    expect(await spoken(phone.callKey, `tool.${schedule}`)).toEqual([[false, "caregiver"]]);
    const whole = await unsure("503", "all");
    await whole.recover();
    expect(outputOf(await whole.again())).toMatchObject({ replaced: { practitioner: "Dr. Amara Larkmere" } });
  });

  it("that did not happen is settled in their name too", async () => {
    const { phone, recover } = await unsure("html", "all");
    expect(await recover(61_000)).toBe("done");
    expect(await spoken(phone.callKey, "tool.settle")).toEqual([[false, "caregiver"]]);
  });
});
