import type { Patient } from "fhir/r4.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sentences } from "../test/sentences.fixture.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
let closed: Patient;
beforeAll(async () => {
  process.env["MAIL_FROM"] ??= "no-reply@clinic.example";
  t = await startTools();
  closed = await (await t.ehr(0)).read<Patient>("Patient", "patient-1199");
}, 60_000);
afterAll(() => t.close());

const verify = "verifyPatientIdentity";
const failed = {
  ok: false,
  code: "identity_not_verified",
  speech:
    "I couldn't verify that information. Please check your full name, date of birth and the other details, and tell me them once more.",
  output: { verified: false, level: 0, attemptsLeft: 2 },
};

describe.each([
  { personality: "plain", version: "STU3", request: "search Patient", index: 0 },
  { personality: "plain", version: "DSTU2", request: "search Patient", index: 0 },
  { personality: "readonly", version: "R4", request: "search Patient", index: 0 },
  { personality: "epic-like", version: "R4", request: "match Patient", index: 1 },
  { personality: "epic-like", version: "STU3", request: "match Patient", index: 1 },
  { personality: "epic-like", version: "DSTU2", request: "search Patient", index: 1 },
  { personality: "cerner-like", version: "R4", request: "search Patient", index: 2 },
  { personality: "cerner-like", version: "DSTU2", request: "search Patient", index: 2 },
] as const)("a $personality server of $version", ({ request, index, ...server }) => {
  beforeEach(async () => {
    await Promise.all([t.connect(0, server), t.connect(1, server)]);
    // The first request also fetches the token and the capability statement.
    await t.verified(0, 5);
  });

  it("is asked once, and tells who is meant by each of the details", async () => {
    const { zip, birthDate, family, given } = t.patients[1]!;
    const who = { firstName: given, lastName: family, dateOfBirth: birthDate };
    for (const factor of ["phone", "zip", "mrn"] as const) {
      const { answer, requests } = await t.ehrRequests(() => t.phone(0).use(verify, t.claimOf(1, factor)));
      expect([answer, requests], factor).toMatchObject([{ ok: true, output: { verified: true, level: 1 } }, [request]]);
    }
    expect(await t.phone(0).use(verify, { ...t.claimOf(1), zipCode: zip })).toMatchObject({ ok: true, output: { level: 2 } });
    const email = `${given}.${family}@example.com`.toUpperCase();
    expect(await t.phone(0).use(verify, { ...who, email })).toMatchObject({ ok: true, output: { level: 1 } });
    const upper = { ...who, firstName: given.toUpperCase(), lastName: family.toLowerCase(), zipCode: zip };
    expect(await t.phone(0).use(verify, upper)).toMatchObject({ ok: true });
  });

  it("never takes a caller for a similar person: one answer and one request for any mismatch", async () => {
    const right = t.claimOf(index);
    const other = t.patients[3]!;
    const [name] = closed.name ?? [];
    const wrong = {
      "another given name": { ...right, firstName: other.given },
      "another family name": { ...right, lastName: other.family },
      "another birth date": { ...right, dateOfBirth: other.birthDate },
      "one letter less": { ...right, lastName: right.lastName.slice(0, -1) },
      "names the wrong way round": { ...right, firstName: right.lastName, lastName: right.firstName },
      "another phone": { ...right, phoneNumber: other.phone },
      "one detail right and one wrong": { ...right, zipCode: "99999" },
      "someone else's record number": { ...right, phoneNumber: undefined, medicalRecordNumber: other.mrn },
      "no one at all": { ...right, firstName: "No one", lastName: "Nowhere" },
      "a closed chart": {
        firstName: name?.given?.[0],
        lastName: name?.family,
        dateOfBirth: closed.birthDate,
        phoneNumber: closed.telecom?.[0]?.value,
      },
    };
    for (const [reason, claim] of Object.entries(wrong)) {
      const phone = t.phone(0);
      expect(await t.ehrRequests(() => phone.use(verify, claim)), reason).toEqual({ answer: failed, requests: [request] });
      expect((await phone.state())?.patientId, reason).toBeUndefined();
    }
  });

  it("has its contacts on file used for a one-time code", async () => {
    const caller = await t.verified(0, index);
    const sent = await caller.use(verify, { sendCode: "email" });
    expect(sent).toMatchObject({ ok: true, output: { codeSentTo: { channel: "email", hint: t.patients[index]!.given[0]! } } });
    const code = /\b\d{6}\b/.exec(t.platform.aws.aws.ses.mails().at(-1)?.text ?? "")?.[0];
    expect(await caller.use(verify, { code })).toMatchObject({ ok: true, output: { level: 2 } });
  });

  it("goes on with what the call has found, and keeps its patients to the tenant that has it", async () => {
    const caller = await t.verified(0, 1);
    expect(await caller.use("getPatientInfo")).toMatchObject({ ok: true, output: { lastName: t.patients[1]!.family } });
    await t.connect(1, { personality: "plain", version: "R4" });
    expect(await caller.use("getPatientInfo")).toMatchObject({ ok: true });
    await t.connect(0, { personality: "plain", version: "R4" });
    expect(await caller.use("getPatientInfo")).toEqual({ ok: false, code: "identity_required", speech: sentences.identity_required });
  });
});
