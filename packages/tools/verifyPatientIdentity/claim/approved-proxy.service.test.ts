import { newId } from "@vitaline/core";
import { holdSecret, secretValues } from "@vitaline/core";
import { changeProxy, chartHashesOf, revokeProxy } from "@vitaline/proxies";
import { create, keys, type TenantRow, update } from "@vitaline/store";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool } from "../../index.ts";
import { outputOf, startTools, type Tools } from "../../test/tools.fixture.ts";
import { dayFromNow, familiesOf, type Families } from "./proxy.fixture.ts";

const verify = "verifyPatientIdentity";
let t: Tools;
let f: Families;
beforeAll(async () => {
  process.env["SMS_ORIGINATION"] = "+18335550100";
  t = await startTools();
  f = familiesOf(t, 0);
  await f.approve(await f.patientOf(40));
  await t.phone(0).use(verify, t.claimOf(0));
}, 60_000);
afterEach(() => f.minors({}));
afterAll(() => t.close());

const refused = { ok: false, code: "identity_not_verified", output: { verified: false, level: 0, attemptsLeft: 2 } };
const daysMs = 86_400_000;
const lastCode = (): string => /\b\d{6}\b/.exec(t.platform.aws.aws.sms.texts().at(-1)?.text ?? "")?.[0] ?? "";

describe("a proxy whom staff approved", () => {
  it("is verified for an adult by name and phone number, where RelatedPerson alone is not enough", async () => {
    const adult = await f.childOf(70);
    expect(await t.phone(0).use(verify, f.asNora(adult))).toMatchObject(refused);
    const { id: proxyId } = await f.approve(adult);
    const caller = t.phone(0);
    expect(await caller.use(verify, f.asSam(adult, { phoneNumber: "617 555 0123" }))).toMatchObject({
      ok: true,
      output: { level: 2, scope: "all" },
    });
    expect(await caller.use("getPatientClinicalData")).toMatchObject({ ok: true });
    for (const audit of await t.audits(0, caller.callKey))
      expect(audit).toMatchObject({ resourceId: adult.id, detail: { actsFor: "caregiver", actsForBy: "proxy", proxyId } });
    expect(JSON.stringify(await t.audits(0, caller.callKey))).not.toMatch(/Sam|Carer|0155/);
    expect(await t.phone(0).use(verify, f.asNora(adult))).toMatchObject(refused);
  });

  it("is refused with another name or number, for another patient, after the last day, and once revoked", async () => {
    const adult = await f.patientOf(70);
    const other = await f.patientOf(70);
    const { id } = await f.approve(adult, { validUntil: dayFromNow(10) });
    for (const args of [
      f.asSam(adult, { callerName: "Pat Carer" }),
      f.asSam(adult, { callerPhone: "617 555 0156" }),
      f.asSam(adult, { callerPhone: undefined, callerBirthDate: "1988-05-06" }),
      f.asSam(other),
    ])
      expect(await t.phone(0).use(verify, args), JSON.stringify(args)).toMatchObject(refused);
    expect(await t.phone(0).use(verify, f.asSam(adult), { laterMs: 9 * daysMs })).toMatchObject({ ok: true });
    expect(await t.phone(0).use(verify, f.asSam(adult), { laterMs: 12 * daysMs })).toMatchObject(refused);
    expect(await t.phone(0).use(verify, f.asSam(adult))).toMatchObject({ ok: true });
    await revokeProxy(t.context(0), id);
    expect(await t.phone(0).use(verify, f.asSam(adult))).toMatchObject(refused);
  });

  it("may call until midnight of the organization after the last day, whichever office is called", async () => {
    const { store } = t.context(0);
    const zones = ["Pacific/Honolulu", "America/New_York", "Pacific/Auckland"];
    const offices = zones.map((timezone) => ({ id: newId(), timezone }));
    const created = { category: "configuration_change", action: "office.create", resourceType: "Office" } as const;
    const rows = offices.map(({ id, timezone }) =>
      create(keys.office(id), {
        ...{ id, name: timezone, isActive: true, createdAt: "2026-11-20T10:00:00Z" },
        businessHours: { start: "00:00", end: "23:59", timezone },
      }),
    );
    await store.commit([update<TenantRow>(keys.tenantConfig(), { set: { timeZone: "America/New_York" } }), ...rows], created);
    const adult = await f.patientOf(70);
    const validUntil = dayFromNow(10);
    await f.approve(adult, { validUntil });
    const midnight = Date.parse(`${dayFromNow(11)}T05:00:00Z`);
    for (const { id: officeId, timezone } of offices)
      for (const [at, answer] of [
        [midnight - 61 * 60_000, { ok: true }],
        [midnight + 60_000, refused],
      ] as const) {
        const call = { ...t.phone(0).call(verify, f.asSam(adult)), officeId };
        expect(await runTool(t.context(0, { laterMs: at - Date.now() }), call), timezone).toMatchObject(answer);
      }
  });

  it("is refused where the approval names another patient than the chart with that medical record number", async () => {
    const adult = await f.patientOf(70);
    await f.approve({ ...adult, lastName: "Elsewhere" });
    await f.approve({ ...adult, claim: { ...adult.claim, dateOfBirth: "1950-01-01" } });
    expect(await t.phone(0).use(verify, f.asSam(adult))).toMatchObject(refused);
  });

  it("may do what staff allowed: with appointments alone, nothing else is looked at", async () => {
    const adult = await f.patientOf(70);
    await f.approve(adult, { scope: "appointments" });
    const caller = t.phone(0);
    expect(await caller.use(verify, f.asSam(adult, { phoneNumber: "617 555 0123" }))).toMatchObject({
      speech: "Thank you. I can help with appointments.",
    });
    for (const [tool, args] of [
      ["getPatientInfo", {}],
      ["getPatientClinicalData", {}],
      ["verifyInsurance", {}],
      ["sendCommunicationFhir", { message: "Hello" }],
      ["sendSMS", { purpose: "follow_up" }],
    ] as const) {
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, args));
      expect([answer.code, requests], tool).toEqual(["proxy_not_allowed", []]);
    }
    const [slotId] = await t.unusedSlots(0, 1);
    const booked = await caller.use("scheduleAppointment", { action: "book", slotId });
    expect(booked.speech).toMatch(/^Robin is booked for /);
    const { appointmentId } = outputOf(booked).appointment;
    const cancelled = await caller.use("scheduleAppointment", { action: "cancel", appointmentId });
    expect(cancelled.speech).toMatch(/^Robin's appointment .+ is canceled\.$/);
  });

  it("is put through to staff while on hold, and what staff decided about a parent counts more than the record system", async () => {
    const child = await f.childOf(9);
    const { id, version } = await f.approve(child, {
      people: {
        ...{ name: `Nora ${child.lastName}`, phone: "617 555 0181", patientFirstName: "Robin", patientLastName: child.lastName },
        ...{ patientBirthDate: child.claim.dateOfBirth, medicalRecordNumber: child.mrn },
      },
      ...{ relationship: "parent", scope: "appointments" },
    });
    expect(await t.phone(0).use(verify, f.asNora(child))).toMatchObject({ ok: true, output: { scope: "appointments" } });
    const byBirthDate = f.asNora(child, { callerPhone: undefined, callerBirthDate: "1988-05-06" });
    expect(await t.phone(0).use(verify, byBirthDate)).toMatchObject({ ok: true, output: { scope: "appointments" } });
    await changeProxy(t.context(0), id, { onHold: true }, version);
    for (const args of [f.asNora(child), byBirthDate])
      expect(await t.phone(0).use(verify, args)).toMatchObject({ code: "identity_locked", output: { about: "on_hold" } });
  });

  it("is no longer verified in a running call once staff revoke the approval, put it on hold or make its scope smaller", async () => {
    const changes: Record<string, (id: string) => Promise<unknown>> = {
      revoked: (id) => revokeProxy(t.context(0), id),
      "on hold": (id) => changeProxy(t.context(0), id, { onHold: true }),
      "with a smaller scope": (id) => changeProxy(t.context(0), id, { scope: "no_clinical" }),
    };
    for (const [name, change] of Object.entries(changes)) {
      const adult = await f.patientOf(70);
      const { id } = await f.approve(adult);
      const caller = t.phone(0);
      await caller.use(verify, f.asSam(adult, { phoneNumber: "617 555 0123" }));
      expect(await caller.use("getPatientClinicalData"), name).toMatchObject({ ok: true });
      await change(id);
      for (const [tool, args] of [
        ["getPatientClinicalData", {}],
        ["updatePatientFhir", { email: "sam@elsewhere.example" }],
        ["scheduleAppointment", { action: "list" }],
      ] as const) {
        const { answer, requests } = await t.ehrRequests(() => caller.use(tool, args));
        expect([answer.code, requests], `${name}: ${tool}`).toEqual(["identity_required", []]);
      }
    }
  });

  it("stays verified in a running call while staff take nothing away", async () => {
    const adult = await f.patientOf(70);
    const { id } = await f.approve(adult, { scope: "no_clinical" });
    const child = await f.childOf(9);
    const { id: ofParent } = await f.approve(child, {
      people: {
        ...{ name: `Nora ${child.lastName}`, phone: "617 555 0181", patientFirstName: "Robin", patientLastName: child.lastName },
        ...{ patientBirthDate: child.claim.dateOfBirth, medicalRecordNumber: child.mrn },
      },
      ...{ relationship: "parent", scope: "no_clinical" },
    });
    const [sam, nora] = [t.phone(0), t.phone(0)];
    await sam.use(verify, f.asSam(adult));
    await nora.use(verify, f.asNora(child, { callerPhone: undefined, callerBirthDate: "1988-05-06" }));
    await changeProxy(t.context(0), id, { scope: "all", validUntil: dayFromNow(60) });
    await revokeProxy(t.context(0), ofParent);
    for (const caller of [sam, nora]) {
      expect(await caller.use("getPatientInfo")).toMatchObject({ ok: true });
      expect(await caller.use("getPatientClinicalData")).toMatchObject({ ok: false });
    }
  });

  it("is another speaker than a parent who spoke before in the call: neither level nor scope passes over", async () => {
    const child = await f.childOf(9);
    await f.approve(child, { scope: "appointments" });
    const phone = t.phone(0);
    const sam = f.asSam(child);
    expect(await phone.use(verify, sam)).toMatchObject({ output: { level: 1, scope: "appointments" } });
    expect(await phone.use(verify, f.asNora(child, { phoneNumber: "617 555 0123" }))).toMatchObject({ output: { level: 2, scope: "all" } });
    expect(await phone.use(verify, sam)).toMatchObject({ output: { level: 1, scope: "appointments" } });
    expect(await phone.use("getPatientClinicalData")).toMatchObject({ ok: false });
  });

  it("keeps one speaker's code and detail from raising the level of another who speaks at the same time", async () => {
    const child = await f.childOf(9);
    await f.approve(child);
    const ctx = t.context(0);
    const meanwhile = (during: () => Promise<unknown>) => ({
      ...ctx,
      store: {
        ...ctx.store,
        commit: async (...args: Parameters<typeof ctx.store.commit>) => (await ctx.store.commit(...args), void (await during())),
      },
    });
    const nora = f.asNora(child);
    const detail = t.phone(0);
    await detail.use(verify, f.asSam(child));
    expect(
      await runTool(
        meanwhile(() => detail.use(verify, nora)),
        detail.call(verify, { phoneNumber: "617 555 0123" }),
      ),
    ).toMatchObject({
      code: "in_progress",
    });
    expect(await detail.state()).toMatchObject({ level: 1, factors: ["zip"], actsFor: { relationship: "parent" } });

    const code = t.phone(0);
    await code.use(verify, f.asSam(child));
    await code.use(verify, { sendCode: "sms" });
    expect(
      await runTool(
        meanwhile(() => code.use(verify, nora)),
        code.call(verify, { code: lastCode() }),
      ),
    ).toMatchObject({ code: "in_progress" });
    expect(await code.state()).toMatchObject({ level: 1, factors: ["zip"], actsFor: { relationship: "parent" } });
  });

  it("has a one-time code of their own: another speaker's is wrong, and their own is right again after both have spoken", async () => {
    const child = await f.childOf(9);
    await f.approve(child);
    const phone = t.phone(0);
    await phone.use(verify, f.asSam(child));
    await phone.use(verify, { sendCode: "sms" });
    const code = lastCode();
    await phone.use(verify, f.asNora(child));
    expect(await phone.use(verify, { code })).toMatchObject({ ok: false, output: { level: 1, about: "code" } });
    await phone.use(verify, f.asSam(child));
    expect(await phone.use(verify, { code })).toMatchObject({ ok: true, output: { level: 2 } });
  });

  it("of a minor ends on the eighteenth birthday, and hears no medical record from the tenant's age on", async () => {
    const teen = await f.patientOf(17);
    await f.approve(teen, { validUntil: dayFromNow(1000) });
    expect(await t.phone(0).use(verify, f.asSam(teen))).toMatchObject({ ok: true, output: { scope: "no_clinical" } });
    expect(await t.phone(0).use(verify, f.asSam(teen), { laterMs: 366 * daysMs })).toMatchObject(refused);
    const grown = await f.patientOf(18);
    await f.approve(grown);
    expect(await t.phone(0).use(verify, f.asSam(grown))).toMatchObject({ ok: true, output: { scope: "all" } });
  });

  it("is found by the audit of the patient's own calls, which has no record number", async () => {
    const adult = await f.patientOf(70);
    const phone = t.phone(0);
    expect(await phone.use(verify, adult.claim)).toMatchObject({ ok: true });
    const audits = await t.audits(0, phone.callKey);
    const { id } = await f.approve(adult, {
      people: {
        ...{ name: "Sam Carer", phone: "617-555-0155", patientFirstName: "Robin", patientLastName: adult.lastName },
        ...{ patientBirthDate: adult.claim.dateOfBirth, medicalRecordNumber: adult.mrn.toLowerCase() },
      },
    });
    const { tenantId, store } = t.context(0);
    expect(audits).toMatchObject([{ detail: { charts: (await chartHashesOf(tenantId, (await store.get(keys.proxy(id)))!))[0] } }]);
    expect(JSON.stringify(audits)).not.toContain(adult.mrn);
    await phone.use(verify, { ...adult.claim, zipCode: "10099" });
    const [failed] = (await t.audits(0, phone.callKey)).filter(({ success }) => !success);
    expect(failed?.detail).not.toHaveProperty("charts");
  });

  it("cannot become the patient in the same call, however the claim to speak for them ended", async () => {
    const adult = await f.patientOf(30);
    await f.approve(adult, { scope: "appointments" });
    const phone = t.phone(0);
    expect(await phone.use(verify, f.asSam(adult))).toMatchObject({ ok: true, output: { scope: "appointments" } });
    expect(await phone.use(verify, adult.claim)).toMatchObject({ ok: false, code: "identity_not_verified" });
    expect(await phone.state()).not.toHaveProperty("actsFor");
    const failed = t.phone(0);
    expect(await failed.use(verify, f.asSam(adult, { callerPhone: "617 555 0001" }))).toMatchObject(refused);
    expect(await failed.use(verify, adult.claim)).toMatchObject({ ok: false });
    expect(await t.phone(0).use(verify, adult.claim)).toMatchObject({ ok: true });
  });

  it("A05: stays approved, speaks on, and does not become the patient when the key of hashes is replaced", async () => {
    const adult = await f.patientOf(30);
    await f.approve(adult, { scope: "appointments" });
    const [phone, failed] = [t.phone(0), t.phone(0)];
    expect(await phone.use(verify, f.asSam(adult))).toMatchObject({ ok: true, output: { scope: "appointments" } });
    expect(await failed.use(verify, f.asSam(adult, { callerPhone: "617 555 0001" }))).toMatchObject(refused);
    const { actsFor } = (await phone.state())!;
    const values = secretValues("hashes");
    holdSecret("hashes", ["a value that replaces the one before", ...values]);
    try {
      expect(await phone.use(verify, f.asSam(adult))).toMatchObject({ ok: true, output: { scope: "appointments" } });
      expect((await phone.state())!.actsFor).toEqual(actsFor);
      for (const one of [phone, failed]) expect(await one.use(verify, adult.claim)).toMatchObject({ ok: false });
      expect(await t.phone(0).use(verify, f.asSam(adult))).toMatchObject({ ok: true, output: { scope: "appointments" } });
    } finally {
      holdSecret("hashes", values);
    }
  });

  it("of one tenant's patient is unknown to another tenant", async () => {
    const other = familiesOf(t, 1);
    await other.approve(await other.patientOf(40));
    const adult = await f.patientOf(70);
    await f.approve(adult);
    expect(await t.phone(1).use(verify, f.asSam(adult))).toMatchObject(refused);
  });
});
