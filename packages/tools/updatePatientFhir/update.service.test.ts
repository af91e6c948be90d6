import { randomUUID } from "node:crypto";
import type { Patient } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { wasChangedRecently } from "../patient/contact-changes.ts";
import { recoverWrite, runTool, type ToolContext } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { atOnce, startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());
afterEach(() => t.heal());

const tool = "updatePatientFhir";
const chart = async (which: 0 | 1, id: string) => (await t.ehr(which)).read<Patient>("Patient", id);
const current = ({ telecom = [] }: Patient) => telecom.filter(({ use }) => use !== "old").map(({ value }) => value);
let last = 1000;
const newNumber = () => `+1617555${last++}`;
const known = async (which: 0 | 1, index: number) => {
  const caller = t.phone(which);
  const { id: patientId, given, family, birthDate, zip, mrn } = t.patients[index]!;
  const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, zipCode: zip, medicalRecordNumber: mrn };
  await t.forgetContactChanges(which, patientId);
  expect(await caller.use("verifyPatientIdentity", claim)).toMatchObject({ output: { level: 2 } });
  return { ...caller, patientId };
};
const who = (which: 0 | 1, patientId: string, laterMs = 0) => ({
  ctx: t.context(which, { laterMs }),
  providerId: t.providers[which]!,
  patientId,
});

describe("updatePatientFhir", () => {
  it("changes a phone number for five write units and one trip, with a read and an update, and keeps the old one as old", async () => {
    const caller = await known(0, 0);
    const { phone } = t.patients[0]!;
    await caller.use(tool, { phoneNumber: newNumber(), phoneType: "work" });
    const phoneNumber = newNumber();
    const { requests } = await t.ehrRequests(() => caller.use(tool, { preferredContact: "email" }));
    expect(requests).toEqual(t.declaredRequests(tool, { preferredContact: "email" }));
    const { answer, writes, requests: asked } = await t.cost(() => caller.use(tool, { phoneNumber, phoneType: "mobile" }));
    expect(answer).toMatchObject({ ok: true, output: { result: "updated", changed: ["phone"] } });
    expect(answer.speech).toMatch(/^Done, I've changed your phone number on file\. If anything .+ please tell me now\.$/);
    expect([writes, asked]).toEqual([5, [...atOnce, "UpdateItem", "TransactWriteItems"]]);
    const { telecom = [] } = await chart(0, caller.patientId);
    expect(telecom[0]).toMatchObject({ system: "phone", value: phoneNumber, use: "mobile" });
    expect(telecom.find(({ use }) => use === "old")).toMatchObject({ period: { end: expect.any(String) } });
    expect(current({ resourceType: "Patient", telecom })).not.toContain(phone);
    const audits = (await t.audits(0, caller.callKey)).filter(({ action }) => action === `tool.${tool}`);
    expect(audits.at(-1)).toMatchObject({ category: "patient_access", resourceId: caller.patientId, detail: { action: "update" } });
    expect(JSON.stringify(audits)).not.toContain(phoneNumber.slice(2));
  });

  it("takes a spoken email and part of an address, and touches nothing else", async () => {
    const caller = await known(0, 1);
    const before = await chart(0, caller.patientId);
    const answer = await caller.use(tool, {
      email: "new dot mail at example dot com",
      street: "9 elm road",
      zipCode: "six two seven oh four",
    });
    expect(answer).toMatchObject({ ok: true, output: { changed: ["email", "address"] } });
    expect(answer.speech).toContain("your email address and your address");
    const after = await chart(0, caller.patientId);
    expect(after.address?.[0]).toMatchObject({ line: ["9 Elm Road"], postalCode: "62704" });
    expect(after.telecom?.[0]).toMatchObject({ system: "email", value: "new.mail@example.com" });
    const { meta: _m, telecom: _t, address: _a, ...same } = after;
    expect(before).toMatchObject(same);
  });

  it("writes nothing when it is on file already", async () => {
    const caller = await known(0, 2);
    const { meta } = await chart(0, caller.patientId);
    expect(await caller.use(tool, { phoneNumber: t.patients[2]!.phone })).toMatchObject({ ok: true, output: { result: "unchanged" } });
    expect((await chart(0, caller.patientId)).meta).toEqual(meta);
  });

  it("asks which of several phone numbers a new one replaces, and changes and counts nothing until it is told", async () => {
    const caller = await known(0, 2);
    const before = await chart(0, caller.patientId);
    const landline = { system: "phone", use: "home", value: "617-555-0181" } as const;
    await t.platform.clinics[0].sandbox.put({ ...before, telecom: [landline, ...(before.telecom ?? [])] });
    const phoneNumber = newNumber();
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { phoneNumber }));
    expect(answer).toMatchObject({
      ...{ ok: false, code: "invalid_arguments", fields: { phoneType: expect.any(String) } },
      speech: "Is that a cell phone, a home phone or a work phone?",
    });
    expect(requests).toEqual(["read Patient"]);
    expect(await wasChangedRecently(who(0, caller.patientId), phoneNumber)).toBe(false);
    expect(await caller.use(tool, { phoneNumber, phoneType: "mobile" })).toMatchObject({ ok: true, output: { changed: ["phone"] } });
    expect(current(await chart(0, caller.patientId)).slice(0, 2)).toEqual([phoneNumber, landline.value]);
    await t.platform.clinics[0].sandbox.put(before);
  });

  it("leaves names and birth dates to the office, and asks nothing of the record system", async () => {
    const caller = await known(0, 2);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { lastName: "Other", phoneNumber: newNumber() }));
    expect([answer, requests]).toMatchObject([{ ok: false, code: "not_doable", output: { result: "in_person" } }, []]);
    expect(answer.speech).toMatch(/can't be changed over the phone/);
  });

  it("is for callers who are known by two factors, and needs something to change", async () => {
    const once = t.phone(0);
    expect(await once.use("verifyPatientIdentity", t.claimOf(3, "zip"))).toMatchObject({ output: { level: 1 } });
    const phoneNumber = newNumber();
    for (const caller of [once, t.phone(0)])
      expect(await caller.use(tool, { phoneNumber })).toMatchObject({ ok: false, code: "identity_required" });
    expect(current(await chart(0, t.patients[3]!.id))).not.toContain(phoneNumber);
    expect(await once.use(tool, { phoneType: "mobile" })).toMatchObject({ code: "invalid_arguments" });
  });

  it("remembers for thirty days that a contact was put on file in a call, for this patient and clinic alone", async () => {
    const caller = await known(0, 3);
    const phoneNumber = newNumber();
    const patientId = caller.patientId;
    await caller.use(tool, { phoneNumber, email: "late@example.com" });
    const written = `(${phoneNumber.slice(2, 5)}) ${phoneNumber.slice(5, 8)}-${phoneNumber.slice(8)}`;
    for (const contact of [phoneNumber, written, "LATE@example.com"])
      expect(await wasChangedRecently(who(0, patientId), contact), contact).toBe(true);
    expect(await wasChangedRecently(who(0, patientId), t.patients[3]!.phone)).toBe(false);
    expect(await wasChangedRecently(who(0, patientId, 31 * 86_400_000), phoneNumber)).toBe(false);
    expect(await wasChangedRecently(who(0, "patient-1001"), phoneNumber)).toBe(false);
    expect(await wasChangedRecently(who(1, patientId), phoneNumber)).toBe(false);
  });

  it("gives a repeated request its first answer and changes nothing again", async () => {
    const caller = await known(0, 4);
    const toolCallId = randomUUID();
    const args = { phoneNumber: newNumber() };
    const first = await caller.use(tool, args, { toolCallId });
    const { meta } = await chart(0, caller.patientId);
    const { answer, writes } = await t.cost(() => caller.use(tool, args, { toolCallId }));
    expect([answer, writes]).toEqual([first, 0]);
    expect((await chart(0, caller.patientId)).meta).toEqual(meta);
  });

  it("changes the patient of its own clinic alone", async () => {
    const caller = await known(1, 5);
    const phoneNumber = newNumber();
    await caller.use(tool, { phoneNumber, patientId: t.patients[0]!.id });
    expect(current(await chart(1, caller.patientId))).toContain(phoneNumber);
    for (const [which, id] of [
      [0, caller.patientId],
      [1, t.patients[0]!.id],
    ] as const)
      expect(current(await chart(which, id))).not.toContain(phoneNumber);
  });

  it("says of a record system that takes no changes that it cannot, before anything is sent", async () => {
    const caller = await known(0, 4);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { phoneNumber: newNumber() }, { without: ["Patient"] }));
    expect(answer).toEqual({ ok: false, code: "ehr_unsupported", speech: sentences.ehr_unsupported });
    expect(requests).toEqual([]);
  });

  it("says so when the record system is off, and does it when asked again", async () => {
    const caller = await known(0, 4);
    const phoneNumber = newNumber();
    await t.fault(0, { kind: "down" });
    expect(await caller.use(tool, { phoneNumber }, { deadlineMs: 3000 })).toMatchObject({ ok: false, code: "ehr_unavailable" });
    await t.heal();
    expect(await caller.use(tool, { phoneNumber })).toMatchObject({ ok: true });
  });
});

const before = (ctx: ToolContext, act: () => Promise<void>): ToolContext => ({
  ...ctx,
  openEhr: async (tenant, options) => {
    const ehr = await ctx.openEhr(tenant, options);
    return { ...ehr, change: async (...sent) => (await act(), ehr.change(...sent)) };
  },
});

describe("a concurrent change", () => {
  it("is made once more on the newest version, and both stay", async () => {
    const caller = await known(0, 5);
    const phoneNumber = newNumber();
    let met = 0;
    const meeting = before(t.context(0), async () => {
      if (met++ > 0) return;
      const ehr = await t.ehr(0);
      await ehr.update<Patient>({ ...(await ehr.read<Patient>("Patient", caller.patientId)), gender: "other" });
    });
    expect(await runTool(meeting, caller.call(tool, { phoneNumber }))).toMatchObject({ ok: true, output: { result: "updated" } });
    const after = await chart(0, caller.patientId);
    expect([after.gender, met]).toEqual(["other", 2]);
    expect(current(after)).toContain(phoneNumber);
  });

  it("is given up as a conflict when it happens again", async () => {
    const caller = await known(0, 5);
    const meeting = before(t.context(0), async () => {
      const ehr = await t.ehr(0);
      const now = await ehr.read<Patient>("Patient", caller.patientId);
      await ehr.update<Patient>({ ...now, gender: now.gender === "other" ? "unknown" : "other" });
    });
    const answer = await runTool(meeting, caller.call(tool, { phoneNumber: newNumber() }));
    expect(answer).toEqual({ ok: false, code: "ehr_conflict", speech: sentences.ehr_conflict });
  });
});

describe("a change whose answer is lost", () => {
  const lost = async (index: number) => {
    const caller = await known(0, index);
    const args = { phoneNumber: newNumber(), phoneType: "mobile" };
    const call = caller.call(tool, args);
    const answer = await runTool(
      before(t.context(0, { deadlineMs: 2500 }), () => t.fault(0, { kind: "hang" })),
      call,
    );
    await t.heal();
    expect(answer).toMatchObject({ ok: false, code: "ehr_unknown_outcome" });
    return { caller, call, requestKey: await t.requestKey(0, call), version: (await chart(0, caller.patientId)).meta?.versionId };
  };

  it("is found when the request comes again, and not made twice", async () => {
    const { caller, call, version } = await lost(3);
    expect(await runTool(t.context(0), call)).toMatchObject({ ok: true, output: { result: "updated", changed: ["phone"] } });
    expect((await chart(0, caller.patientId)).meta?.versionId).toBe(version);
  });

  it("is settled by the retry job", async () => {
    const { call, requestKey } = await lost(0);
    expect(await recoverWrite(t.context(0), requestKey)).toBe("done");
    const { answer, requests } = await t.ehrRequests(() => runTool(t.context(0), call));
    expect([answer, requests]).toMatchObject([{ ok: true, output: { result: "updated" } }, []]);
  });
});
