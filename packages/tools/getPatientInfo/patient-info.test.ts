import type { Patient } from "fhir/r4.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { atOnce, startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterEach(() => t.heal());
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
    expect([writes, reads, requests]).toEqual([1, 5, [...atOnce, "PutItem"]]);
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

  it("tells an unverified caller nothing, even if the model sends a patient id", async () => {
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

  it("asks the EHR for no more than it declares", async () => {
    const caller = await t.verified(0, 0);
    const { requests } = await t.ehrRequests(() => caller.use("getPatientInfo"));
    expect(requests).toEqual(t.declaredRequests("getPatientInfo"));
  });

  it("tells the name and the contacts of now, not those of the past", async () => {
    const caller = await t.verified(1, 4);
    const ehr = await t.ehr(1);
    const before = await ehr.read<Patient>("Patient", caller.patientId);
    const past = { period: { end: "2001-01-01" } };
    const telecom = [
      { system: "phone", value: "6175550100", ...past },
      ...(before.telecom ?? []).filter(({ system }) => system !== "email"),
    ] as const;
    await ehr.update<Patient>({
      ...before,
      name: [{ use: "maiden", family: "Past", given: ["Gone"] }, ...(before.name ?? [])],
      telecom: [...telecom],
    });
    expect((await caller.use("getPatientInfo")).output).toEqual({
      firstName: t.patients[4]!.given,
      lastName: t.patients[4]!.family,
      phoneEndsIn: t.patients[4]!.phone.slice(-2),
      emailStartsWith: null,
    });
  });

  it("is one sentence when the EHR is down, and another when it shows no patients", async () => {
    const caller = await t.verified(0, 0);
    await t.fault(0, { kind: "503" });
    expect(await caller.use("getPatientInfo")).toEqual({ ok: false, code: "ehr_unavailable", speech: sentences.ehr_unavailable });
    await t.heal();
    const { answer, requests } = await t.ehrRequests(() => caller.use("getPatientInfo", {}, { without: ["Patient"] }));
    expect([answer, requests]).toEqual([{ ok: false, code: "ehr_unsupported", speech: sentences.ehr_unsupported }, []]);
  });

  it("knows the call of its own tenant alone", async () => {
    const caller = await t.verified(0, 0);
    expect(await runTool(t.context(1), caller.call("getPatientInfo", {}))).toMatchObject({ ok: false, code: "identity_required" });
  });
});
