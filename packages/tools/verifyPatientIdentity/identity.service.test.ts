import { randomUUID } from "node:crypto";
import type { Patient } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTools, type Tools } from "../test/tools.fixture.ts";

const verify = "verifyPatientIdentity";
let t: Tools;
beforeAll(async () => {
  t = await startTools();
  await t.phone(0).use(verify, t.claimOf(0));
}, 60_000);
afterAll(() => t.close());

const handedOver = {
  ok: false,
  code: "identity_locked",
  speech:
    "I can't help with a call about someone else, or about anyone under eighteen. Let me connect you with someone at the office who can help.",
  output: { verified: false, level: 0, attemptsLeft: 0, about: "somebody_else" },
};
const yearsAgo = (years: number, days = 0): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate() + days)).toISOString().slice(0, 10);
};

async function patientWith(change: Partial<Patient>) {
  const ehr = await t.ehr(0);
  const chart = await ehr.read<Patient>("Patient", t.patients[0]!.id);
  const family = `Own${randomUUID().replaceAll(/[^a-z]/g, "")}`;
  const made = await ehr.create<Patient>({ ...chart, id: undefined, name: [{ given: ["Nadia"], family }], ...change });
  return { firstName: "Nadia", lastName: family, dateOfBirth: made.birthDate, zipCode: made.address?.[0]?.postalCode };
}

/** Nothing shows who may speak for a patient. */
const without = ["RelatedPerson"] as const;

describe("calls about another person, at a record system without RelatedPerson", () => {
  it("go to a human before anything is looked for, whether or not there is such a patient, and take no try", async () => {
    for (const callingFor of ["child", "other", "OTHER"])
      for (const claim of [t.claimOf(0), { ...t.claimOf(0), firstName: "No one" }, {}]) {
        const phone = t.phone(0);
        const { answer, requests } = await t.ehrRequests(() => phone.use(verify, { ...claim, callingFor }, { without }));
        expect([answer, requests]).toEqual([handedOver, []]);
        const { expiresAt: _expiresAt, ...state } = (await phone.state())!;
        expect(state).toEqual({ level: 0, identityChecks: [], proxyClaims: expect.any(Set) as Set<string> });
        expect(await t.audits(0, phone.callKey)).toMatchObject([{ success: false, code: "identity_locked", resourceType: "Tool" }]);
      }
    expect(await t.phone(0).use(verify, { ...t.claimOf(0), callingFor: "self" })).toMatchObject({ ok: true });
  });

  it("go to a human about anyone under eighteen, by the birth date that is said, in the same words for who is on file and who is not", async () => {
    const minor = await patientWith({ birthDate: yearsAgo(17) });
    for (const claim of [minor, { ...minor, firstName: "No one" }, { ...minor, zipCode: "00000" }]) {
      const { answer, requests } = await t.ehrRequests(() => t.phone(0).use(verify, claim, { without }));
      expect([answer, requests]).toEqual([handedOver, []]);
    }
    expect(await t.phone(0).use(verify, await patientWith({ birthDate: yearsAgo(18, 2) }), { without })).toEqual(handedOver);
    expect(await t.phone(0).use(verify, await patientWith({ birthDate: yearsAgo(18, -2) }))).toMatchObject({ ok: true });
  });
});

describe("an address as a factor", () => {
  it("is recognized by house number and street, however much of it is said", async () => {
    const { zipCode: _zip, ...who } = await patientWith({ address: [{ line: ["12 North Sample Street", "Apt 4"], postalCode: "02199" }] });
    for (const address of [
      "12 N Sample St",
      "12 north sample street, Sampleton",
      "one two North Sample Street apartment 4",
      "12 N. Sample",
    ])
      expect(await t.phone(0).use(verify, { ...who, address }), address).toMatchObject({ ok: true, output: { level: 1 } });
    for (const address of ["13 North Sample Street", "12 South Sample Street", "12 Sampler Street", "12 Main Street"])
      expect(await t.phone(0).use(verify, { ...who, address }), address).toMatchObject({ ok: false, code: "identity_not_verified" });
    expect((await t.phone(0).use(verify, { ...who, address: "Sample Street" })).speech).toBe(
      "What's your street address, with the house number?",
    );
  });

  it("and its zip code are one factor: together they are no second one", async () => {
    const who = await patientWith({ address: [{ line: ["12 Oak Lane"], postalCode: "02199" }] });
    const phone = t.phone(0);
    expect(await phone.use(verify, { ...who, address: "12 Oak Lane" })).toMatchObject({ output: { level: 1 } });
    expect(await phone.use(verify, { ...who, phoneNumber: t.patients[0]!.phone })).toMatchObject({ output: { level: 2 } });
  });

  it("is of no use once the patient has moved", async () => {
    const { zipCode: _zip, ...who } = await patientWith({ address: [{ use: "old", line: ["12 Oak Lane"] }] });
    expect(await t.phone(0).use(verify, { ...who, address: "12 Oak Lane" })).toMatchObject({ ok: false });
  });
});

describe("a patient with a second chart", () => {
  const second = async (who: Awaited<ReturnType<typeof patientWith>>, change: Partial<Patient>): Promise<void> => {
    const ehr = await t.ehr(0);
    const name = [{ given: [who.firstName], family: who.lastName }];
    await ehr.create<Patient>({
      resourceType: "Patient",
      name,
      birthDate: who.dateOfBirth,
      address: [{ postalCode: who.zipCode }],
      ...change,
    });
  };

  it("C03, D05: is verified as the one that is in use, where the other was merged or retired", async () => {
    for (const retired of [
      { active: false, link: [{ type: "replaced-by" as const, other: { reference: "Patient/patient-1001" } }] },
      { link: [{ type: "replaced-by" as const, other: { reference: "Patient/patient-1001" } }] },
      { active: false },
    ]) {
      const who = await patientWith({});
      await second(who, retired);
      await second(who, retired);
      const phone = t.phone(0);
      expect(await phone.use(verify, who)).toMatchObject({ ok: true, output: { level: 1, attemptsLeft: 3 } });
      expect(await phone.use("getPatientInfo")).toMatchObject({ ok: true });
    }
  });

  it("C03: is not verified if the other is in use as well, is confidential, or is of a deceased person", async () => {
    const secret = { security: [{ system: "http://terminology.hl7.org/CodeSystem/v3-Confidentiality", code: "R" }] };
    for (const other of [{}, { meta: secret }, { deceasedBoolean: true }]) {
      const who = await patientWith({});
      await second(who, other);
      expect(await t.phone(0).use(verify, who)).toMatchObject({ ok: false, code: "identity_not_verified" });
    }
  });
});
