import type { Patient } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sentences } from "../index.ts";
import { startTools, type Tools } from "../tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

describe("getPatientInfo", () => {
  it("tells a verified caller the name and masked contacts, for one write unit and one trip", async () => {
    const caller = await t.verified(0, 0);
    const { answer, writes, reads, requests } = await t.cost(() => caller.use("getPatientInfo"));
    const { given, family, phone } = t.patients[0]!;
    expect(answer).toEqual({
      ok: true,
      speech: `I have the record of ${given} ${family} here, with a phone number ending in ${phone.slice(-2)} and an email address starting with the letter ${given[0]} on file.`,
      output: { firstName: given, lastName: family, phoneEndsIn: phone.slice(-2), emailStartsWith: given[0] },
    });
    expect([writes, reads, requests]).toEqual([1, 2, ["BatchGetItem", "PutItem"]]);
    expect((await t.audits(0, caller.callKey)).at(-1)).toMatchObject({
      action: "tool.getPatientInfo",
      category: "patient_access",
      success: true,
      resourceId: caller.patientId,
    });
  });

  it("tells nothing that was not verified: no birth date, address, record number or whole contact", async () => {
    const caller = await t.verified(0, 1);
    const answer = JSON.stringify(await caller.use("getPatientInfo"));
    const { birthDate, zip, mrn, phone, given, family } = t.patients[1]!;
    for (const secret of [birthDate, zip, mrn, phone, phone.slice(-4), `${given}.${family}`.toLowerCase(), caller.patientId])
      expect(answer).not.toContain(secret);
  });

  it("tells a stranger nothing, whatever patient id the model sends", async () => {
    const { answer, writes } = await t.cost(() => t.phone(0).use("getPatientInfo", { patientId: t.patients[0]!.id }));
    expect([answer, writes]).toEqual([{ ok: false, code: "identity_required", speech: sentences.identity_required }, 1]);
    const caller = await t.verified(0, 2);
    expect((await caller.use("getPatientInfo", { patientId: t.patients[0]!.id })).output).toMatchObject({
      firstName: t.patients[2]!.given,
    });
  });

  it("stops when the chart is closed in the middle of the call", async () => {
    const caller = await t.verified(1, 3);
    const ehr = await t.ehr(1);
    await ehr.update<Patient>({ ...(await ehr.read<Patient>("Patient", caller.patientId)), active: false });
    expect(await caller.use("getPatientInfo")).toMatchObject({ ok: false, code: "ehr_forbidden" });
  });
});
