import { listTasks } from "@vitaline/tasks";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sentences } from "../../test/sentences.fixture.ts";
import { startTools, type Tools } from "../../test/tools.fixture.ts";
import { dayFromNow, familiesOf, type Families, parentCode, yearsAgo } from "./proxy.fixture.ts";

const verify = "verifyPatientIdentity";
let t: Tools;
let f: Families;
beforeAll(async () => {
  t = await startTools();
  f = familiesOf(t, 0);
  await t.phone(0).use(verify, t.claimOf(0));
}, 60_000);
afterEach(() => f.minors({}));
afterAll(() => t.close());

const refused = { ok: false, code: "identity_not_verified", output: { verified: false, level: 0, attemptsLeft: 2 } };

describe("a parent in the record system", () => {
  it("is verified for the child by name and phone number or birth date, with the declared requests, and may do what the patient may", async () => {
    const child = await f.childOf(9);
    await f.related(child, { name: [{ family: "Else", given: ["Otto"] }] });
    const parent = t.phone(0);
    await parent.use(verify, f.asNora(child));
    for (const own of [
      {},
      { callerName: `nora jane ${child.lastName}` },
      { callerPhone: undefined, callerBirthDate: "May 6th, 1988" },
      { callingFor: undefined },
    ]) {
      const args = f.asNora(child, own);
      const { answer, requests } = await t.ehrRequests(() => t.phone(0).use(verify, args));
      expect(answer, JSON.stringify(own)).toMatchObject({ ok: true, output: { verified: true, level: 1, scope: "all" } });
      expect(requests).toEqual(t.declaredRequests(verify, args));
    }
    expect(await parent.use(verify, { phoneNumber: "617 555 0123" })).toMatchObject({ ok: true, output: { level: 2 } });
    for (const tool of ["getPatientInfo", "getPatientClinicalData", "getMedicationHistoryFhir", "verifyInsurance"])
      expect((await parent.use(tool)).ok, tool).toBe(true);
    expect(await parent.use("scheduleAppointment", { action: "list" })).toMatchObject({ ok: true });
  });

  it("is named in the audit of everything that they ask for the child, and the patient's own calls have no such name", async () => {
    const child = await f.childOf(9);
    const parent = t.phone(0);
    await parent.use(verify, f.asNora(child));
    await parent.use("getPatientInfo");
    await parent.use("sendCommunicationFhir", { category: "callback_request", message: "Please call me." });
    const audits = await t.audits(0, parent.callKey);
    expect(audits.map(({ resourceId, detail }) => [resourceId, detail?.["actsFor"], detail?.["actsForBy"]])).toEqual(
      Array.from({ length: 3 }, () => [child.id, "parent", "related_person"]),
    );
    expect(JSON.stringify(audits)).not.toMatch(/Nora|0181/);
    const patient = await t.verified(0, 1);
    await patient.use("getPatientInfo");
    expect(JSON.stringify(await t.audits(0, patient.callKey))).not.toContain("actsFor");
  });

  it("is refused in one sentence and at the cost of one try for any reason, whether or not there is such a patient", async () => {
    const now = new Date().toISOString();
    const child = await f.childOf(9);
    const wrong: [string, object][] = [
      ["another name", f.asNora(child, { callerName: `Vera ${child.lastName}` })],
      ["another number", f.asNora(child, { callerPhone: "617 555 0182" })],
      ["the number of the chart", f.asNora(child, { callerPhone: "617 555 0123" })],
      ["another birth date", f.asNora(child, { callerBirthDate: "1988-05-07" })],
      ["no such patient", f.asNora(child, { firstName: "No one" })],
      ["another zip code", f.asNora(child, { zipCode: "10099" })],
    ];
    for (const [name, relation] of [
      ["no one on file", undefined],
      ["inactive", { active: false }],
      ["over", { period: { end: dayFromNow(-3) } }],
      ["not yet", { period: { start: dayFromNow(3) } }],
      ["a name of before", { name: [{ family: "Before", given: ["Nora"], use: "old", period: { end: now } }] }],
      ["an aunt", { relationship: [{ coding: [{ code: "AUNT" }], text: "Parent" }] }],
      ["a stepmother", { relationship: [{ text: "Stepmother" }] }],
      ["of unknown relationship", { relationship: [] }],
    ] as const) {
      const other = relation ? await f.childOf(9, relation as object) : await f.patientOf(9);
      wrong.push([name, f.asNora(other)]);
    }
    const requests: string[][] = [];
    for (const [name, args] of wrong) {
      const phone = t.phone(0);
      const { answer, requests: asked } = await t.ehrRequests(() => phone.use(verify, args));
      expect(answer, name).toMatchObject(refused);
      requests.push(asked);
      expect(await phone.state(), name).toMatchObject({ level: 0, tries: 1 });
      expect(await t.audits(0, phone.callKey), name).toMatchObject([{ success: false, resourceType: "Tool" }]);
    }
    // The same requests for a child on file and for one who is not, so that the time of an answer tells nothing.
    expect(new Set(requests.map((one) => one.join())).size).toBe(1);
  });

  it("is within a period, of another name form or relationship, and one of several people on file", async () => {
    for (const relation of [
      { period: { start: dayFromNow(-30), end: dayFromNow(30) } },
      { relationship: [{ text: "Legal guardian" }] },
      { relationship: [{ coding: [{ code: "MTH" }] }, { coding: [{ code: "ECON" }] }] },
      { name: [{ text: "Nora Placeholder" }], birthDate: undefined },
    ]) {
      const child = await f.childOf(9, relation, { identifier: undefined });
      const callerName = "name" in relation ? "Nora Placeholder" : `Nora ${child.lastName}`;
      expect(await t.phone(0).use(verify, f.asNora(child, { callerName })), JSON.stringify(relation)).toMatchObject({ ok: true });
    }
  });

  it("is asked first for the patient's details and then for their own, without a try, also where the birth date alone shows that it is a child's", async () => {
    const child = await f.childOf(9);
    const phone = t.phone(0);
    expect(await phone.use(verify, { callingFor: "child" })).toMatchObject({
      ok: false,
      code: "invalid_arguments",
      speech: "What are the patient's full name and date of birth, and a phone number or zip code on file?",
    });
    for (const args of [{ ...child.claim, callingFor: "child" }, child.claim, { ...child.claim, callingFor: "other", callerName: "Nora" }])
      expect(await phone.use(verify, args)).toMatchObject({
        ok: false,
        code: "invalid_arguments",
        speech: "May I have your own full name, and your phone number or date of birth as the clinic has it?",
      });
    const { expiresAt: _expiresAt, ...state } = (await phone.state())!;
    expect(state).toEqual({ level: 0, identityChecks: [], proxyClaims: expect.any(Set) as Set<string> });
    expect(await phone.use(verify, { ...child.claim, callingFor: "self" })).toMatchObject({ code: "identity_locked" });
  });

  it("hears no medical record of a teenager, from the age that the tenant sets, and may arrange visits, insurance and messages", async () => {
    const restricted = { security: [{ system: "http://terminology.hl7.org/CodeSystem/v3-Confidentiality", code: "R" }] };
    const teen = await f.childOf(14);
    const slots = await t.unusedSlots(0, 3);
    const [shown, hidden] = await Promise.all(slots.slice(0, 2).map((id) => t.slot(0, id)));
    for (const [id, { start, end }, meta] of [
      [`shown-${teen.id}`, shown!, undefined],
      [`hidden-${teen.id}`, hidden!, restricted],
    ] as const)
      await f.put({
        ...{ resourceType: "Appointment", id, status: "booked", start, end, ...(meta ? { meta } : {}) },
        participant: [
          { actor: { reference: `Patient/${teen.id}` }, status: "accepted" },
          { actor: { reference: "Practitioner/practitioner-1", display: "Dr. Amara Larkmere" }, status: "accepted" },
        ],
      });
    const parent = t.phone(0);
    expect(await parent.use(verify, f.asNora(teen, { phoneNumber: "617 555 0123" }))).toEqual({
      ok: true,
      speech: "Thank you. I can help with appointments, insurance and messages to the office.",
      output: { verified: true, level: 2, attemptsLeft: 3, scope: "no_clinical" },
    });
    for (const [tool, args] of [
      ["getPatientClinicalData", {}],
      ["getMedicationHistoryFhir", {}],
      ["updatePatientFhir", { phoneNumber: "617 555 0177" }],
    ] as const) {
      const { answer, requests } = await t.ehrRequests(() => parent.use(tool, args));
      expect([answer, requests], tool).toEqual([{ ok: false, code: "proxy_not_allowed", speech: sentences.proxy_not_allowed }, []]);
    }
    const listed = await parent.use("scheduleAppointment", { action: "list" });
    expect(listed.output).toEqual({
      result: "listed",
      patient: "Robin",
      appointments: [{ appointmentId: `shown-${teen.id}`, start: shown!.start }],
    });
    expect(await parent.use("scheduleAppointment", { action: "cancel", appointmentId: `hidden-${teen.id}` })).toMatchObject({ ok: false });
    // Before other times are offered, among which it would have to be.
    expect(await parent.use("scheduleAppointment", { action: "book", slotId: slots[2] })).toMatchObject({ ok: true });
    expect((await parent.use("scheduleAppointment", { action: "book", slotId: slots[1] })).output).toMatchObject({ result: "taken" });
    expect((await parent.use("scheduleAppointment", { action: "find", practitioner: "her usual doctor" })).output).toMatchObject({
      instead: "noUsual",
    });
    const confirmation = { purpose: "appointment_confirmation", appointmentId: `hidden-${teen.id}` };
    expect(await parent.use("sendSMS", confirmation)).toMatchObject({ ok: false });
    expect(await parent.use("scheduleAppointment", { action: "cancel", appointmentId: `shown-${teen.id}` })).toMatchObject({ ok: true });
    expect(await parent.use("verifyInsurance")).toMatchObject({ ok: true });
    expect(await parent.use("sendCommunicationFhir", { message: "Please call me." })).toMatchObject({ ok: true });
    const refusals = (await t.audits(0, parent.callKey)).filter(({ code }) => code === "proxy_not_allowed");
    expect(refusals).toHaveLength(3);
    for (const one of refusals) expect(one).toMatchObject({ success: false, resourceId: teen.id, detail: { actsFor: "parent" } });

    await f.minors({ confidentialFrom: 16 });
    expect(await t.phone(0).use(verify, f.asNora(teen))).toMatchObject({ output: { scope: "all" } });
    expect(await t.phone(0).use(verify, f.asNora(await f.childOf(11)))).toMatchObject({ output: { scope: "all" } });
    await f.minors({ guardians: false });
    expect(await t.phone(0).use(verify, f.asNora(teen))).toMatchObject({ code: "identity_locked" });
  });

  it("does not speak for a patient of eighteen, on whose birthday the access ends", async () => {
    const adult = await f.childOf(18);
    expect(await t.phone(0).use(verify, f.asNora(adult))).toMatchObject({ code: "identity_locked", output: { about: "somebody_else" } });
    const almost = await f.childOf(0, {}, { birthDate: yearsAgo(18, -3) });
    const claim = f.asNora(almost, { dateOfBirth: yearsAgo(18, -3) });
    expect(await t.phone(0).use(verify, claim)).toMatchObject({ ok: true, output: { scope: "no_clinical" } });
    expect(await t.phone(0).use(verify, claim, { laterMs: 5 * 86_400_000 })).toMatchObject({ code: "identity_locked" });
  });

  it("may be a contact of the chart, where the record system has no RelatedPerson and the tenant allows it", async () => {
    const contact = [
      {
        relationship: [parentCode],
        name: { family: "Contact", given: ["Nora"] },
        telecom: [{ system: "phone" as const, value: "617-555-0181" }],
      },
    ];
    const child = await f.patientOf(9, { contact });
    const args = f.asNora(child, { callerName: "Nora Contact" });
    const without = ["RelatedPerson"] as const;
    expect(await t.phone(0).use(verify, args, { without })).toMatchObject({ code: "identity_locked" });
    await f.minors({ contacts: true });
    expect(await t.phone(0).use(verify, args)).toMatchObject(refused);
    expect(await t.phone(0).use(verify, args, { without })).toMatchObject({ ok: true, output: { scope: "all" } });
    const friend = await f.patientOf(9, { contact: [{ ...contact[0], relationship: [{ text: "Friend" }] }] });
    expect(await t.phone(0).use(verify, f.asNora(friend, { callerName: "Nora Contact" }), { without })).toMatchObject(refused);
  });

  it("is put through to staff, with one task, while a flag says that custody is in dispute; no one else hears of the flag", async () => {
    const child = await f.childOf(9);
    await f.flag(child, { status: "inactive" });
    await f.flag(child, { code: { text: "Fall risk" } });
    expect(await t.phone(0).use(verify, f.asNora(child))).toMatchObject({ ok: true });
    await f.flag(child);
    const parent = t.phone(0);
    for (let time = 0; time < 2; time++)
      expect(await parent.use(verify, f.asNora(child))).toMatchObject({
        ok: false,
        code: "identity_locked",
        speech: expect.stringMatching(/^I can't help with this myself\. /) as string,
        output: { about: "on_hold" },
      });
    const { rows } = await listTasks(t.context(0), { limit: 200 });
    expect(rows.filter(({ callId }) => callId === parent.callKey)).toMatchObject([{ kind: "proxy_on_hold" }]);
    expect(await t.phone(0).use(verify, f.asNora(child, { callerPhone: "617 555 0182" }))).toMatchObject(refused);
    expect(await parent.use("getPatientInfo")).toMatchObject({ code: "identity_required" });
    for (const text of ["Order of protection", "No info to father", "CPS involvement", "Do not share records with mother"]) {
      const other = await f.childOf(9);
      await f.flag(other, { code: { text } });
      const late = t.phone(0);
      expect(await late.use(verify, f.asNora(other, { callerPhone: "617 555 0182" })), text).toMatchObject(refused);
      expect(await late.use(verify, f.asNora(other)), text).toMatchObject({ output: { about: "on_hold" } });
      const tasks = (await listTasks(t.context(0), { limit: 200 })).rows.filter(({ callId }) => callId === late.callKey);
      expect(tasks, text).toMatchObject([{ kind: "proxy_on_hold" }]);
    }
  });

  it("proves one more detail with callingFor said again", async () => {
    const child = await f.childOf(9);
    const parent = t.phone(0);
    expect(await parent.use(verify, f.asNora(child))).toMatchObject({ output: { level: 1 } });
    const more = { callingFor: "child", phoneNumber: "617 555 0123" };
    expect(await parent.use(verify, more)).toMatchObject({ ok: true, output: { level: 2, further: true } });
    expect(await parent.state()).toMatchObject({ level: 2, actsFor: { relationship: "parent", scope: "all" } });
  });

  it("of another tenant's patient is unknown here", async () => {
    const child = await f.childOf(9);
    expect(await t.phone(1).use(verify, f.asNora(child))).toMatchObject(refused);
  });
});
