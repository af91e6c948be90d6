import type { Patient } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sentences } from "../test/sentences.fixture.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

const verify = "verifyPatientIdentity";
const anotherName = { preferredName: "Sam", phoneNumber: "617-555-0144" };

describe("one further detail of a verified caller", () => {
  it("is asked for where level 2 is needed, in another sentence than who is calling, and is enough alone", async () => {
    const caller = await t.verified(0, 0);
    const refused = await caller.use("updatePatientFhir", anotherName);
    expect(refused).toEqual({
      ok: false,
      code: "identity_required",
      speech: "For that I need one more detail: your zip code, medical record number or email address on file. I can also send you a code.",
    });
    const { answer, requests } = await t.ehrRequests(() => caller.use(verify, { zipCode: t.patients[0]!.zip }));
    expect(answer).toEqual({
      ok: true,
      speech: "Thank you, that's all I need.",
      output: { verified: true, level: 2, attemptsLeft: 3, further: true },
    });
    expect(requests).toEqual(t.declaredRequests(verify, { zipCode: "02199" }));
    expect(await caller.state()).toMatchObject({ level: 2, patientId: caller.patientId, factors: ["phone", "zip"], tries: 0 });
    expect((await caller.use("updatePatientFhir", anotherName)).code).not.toBe("identity_required");
    expect(await t.phone(1).use(verify, { zipCode: t.patients[0]!.zip })).toEqual({
      ok: false,
      code: "identity_required",
      speech: sentences.identity_required,
    });
  });

  it("does not raise anything by a detail that is known already, and says so", async () => {
    const caller = await t.verified(0, 1);
    for (const words of [{ phoneNumber: t.patients[1]!.phone }, t.claimOf(1, "phone")]) {
      const answer = await caller.use(verify, words);
      expect(answer).toMatchObject({ ok: true, output: { level: 1, further: true } });
      expect(answer.speech).toMatch(/another detail that's on file/);
    }
    expect(await caller.state()).toMatchObject({ level: 1, factors: ["phone"] });
  });

  it("takes a try when it is wrong, in the same words whichever it was, and lowers nothing", async () => {
    const caller = await t.verified(1, 2);
    const answers = [];
    for (const wrong of [{ zipCode: "00000" }, { medicalRecordNumber: "none" }, { email: "nobody@example.com" }])
      answers.push(await caller.use(verify, wrong));
    expect(answers.map(({ output }) => output)).toEqual(
      [2, 1, 0].map((attemptsLeft) => ({ verified: false, level: 1, attemptsLeft, about: "detail" })),
    );
    const [first, last] = answers.map(({ speech }) => speech.toLowerCase());
    expect(last?.replace("this is the last try: ", "")).toBe(first);
    expect(last).not.toBe(first);
    expect(await caller.state()).toMatchObject({ level: 1, patientId: caller.patientId, tries: 3 });
    expect(await caller.use(verify, { zipCode: t.patients[2]!.zip })).toMatchObject({ ok: false, code: "identity_locked" });
    expect(await caller.use("getPatientInfo")).toMatchObject({ ok: true });
  });

  it("is counted for its patient together with whole claims, over all calls", async () => {
    for (let round = 0; round < 5; round++) {
      const caller = await t.verified(1, 3);
      await caller.use(verify, { zipCode: "00000" });
      await t.phone(1).use(verify, { ...t.claimOf(3), zipCode: "00000" });
    }
    expect(await t.phone(1).use(verify, t.claimOf(3))).toMatchObject({ code: "identity_locked" });
    expect(await t.phone(0).use(verify, t.claimOf(3))).toMatchObject({ ok: true });
  });

  it("is counted alike where the chart has the name as a text alone", async () => {
    const chart = await (await t.ehr(0)).read<Patient>("Patient", t.patients[2]!.id);
    const birthDate = "1968-05-06";
    await t.platform.clinics[0].sandbox.put({ ...chart, id: "text-name", birthDate, name: [{ text: "Ottilie Zabrowski" }] });
    const claim = { ...t.claimOf(2), firstName: "Ottilie", lastName: "Zabrowski", dateOfBirth: birthDate };
    for (let round = 0; round < 5; round++) {
      const caller = t.phone(0);
      expect(await caller.use(verify, claim)).toMatchObject({ ok: true });
      await caller.use(verify, { zipCode: "00000" });
      await t.phone(0).use(verify, { ...claim, zipCode: "00000" });
    }
    expect(await t.phone(0).use(verify, claim)).toMatchObject({ code: "identity_locked" });
    expect(await t.phone(1).use(verify, t.claimOf(2))).toMatchObject({ ok: true });
  });

  it("is answered alike when it is sent again: no try, no audit row", async () => {
    const caller = await t.verified(0, 4);
    for (const [detail, toolCallId] of [
      [{ zipCode: "00000" }, "one"],
      [{ zipCode: t.patients[4]!.zip }, "two"],
    ] as const) {
      const first = await caller.use(verify, detail, { toolCallId });
      const before = await caller.state();
      expect(await caller.use(verify, detail, { toolCallId })).toEqual(first);
      expect(await caller.state()).toEqual(before);
    }
    expect(await t.audits(0, caller.callKey)).toHaveLength(3);
  });
});

describe("a failed check of who is calling", () => {
  it("ends the call's verified identity for any reason, and says so", async () => {
    const { patientId: _other, ...neighbor } = await t.verified(1, 0);
    for (const args of [
      { ...t.claimOf(5), zipCode: "00000" },
      { ...t.claimOf(5), firstName: "No one" },
      { callingFor: "other" },
      { ...t.claimOf(5), dateOfBirth: new Date().toISOString().slice(0, 10) },
    ]) {
      const caller = await t.verified(0, 5, 2);
      expect(await caller.use(verify, args)).toMatchObject({ ok: false, output: { verified: false, level: 0 } });
      expect(await caller.state()).toMatchObject({ level: 0 });
      for (const field of ["patientId", "providerId", "identityHash", "factors"]) expect(await caller.state()).not.toHaveProperty(field);
      expect(await caller.use("getPatientInfo")).toEqual({ ok: false, code: "identity_required", speech: sentences.identity_required });
      expect(await caller.use(verify, t.claimOf(5))).toMatchObject({ ok: true, output: { level: 1 } });
    }
    expect(await neighbor.use("getPatientInfo")).toMatchObject({ ok: true });
  });

  it("ends it also when the same wrong words come again without an id of the tool call", async () => {
    const phone = t.phone(0);
    const say = (claim: object) => phone.use(verify, claim, { toolCallId: "" });
    const wrong = { ...t.claimOf(5), zipCode: "00000" };
    await say(wrong);
    await say(t.claimOf(5));
    expect((await phone.state())?.level).toBe(1);
    await say(wrong);
    expect(await phone.state()).toMatchObject({ level: 0 });
  });
});
