import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sentences } from "../test/sentences.fixture.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";
import type { Output } from "./schema.ts";

const tool = "getFhirProviders";
let t: Tools;
beforeAll(async () => {
  t = await startTools();
  await t.phone(0).use(tool, { name: "Larkmere" });
}, 60_000);
afterEach(() => t.heal());
afterAll(() => t.close());

const namesOf = ({ output }: { output?: unknown }): string[] => (output as Output).providers.map(({ name }) => name);

describe("getFhirProviders", () => {
  it("finds a provider by a spoken name and reads it out, for two write units and its declared requests", async () => {
    const caller = t.phone(0);
    await caller.use(tool, { name: "Larkmere" });
    for (const name of ["Dr. Larkmere", "doctor amara larkmere", "LARKMERE", "lark mere"]) {
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { name }));
      expect(answer, name).toEqual({
        ok: true,
        speech: "I found Doctor Amara Larkmere, general practice, at Sampleton Main Clinic.",
        output: {
          providers: [
            { name: "Dr. Amara Larkmere", gender: "female", specialties: ["General practice"], locations: ["Sampleton Main Clinic"] },
          ],
          more: 0,
        },
      });
      expect(requests).toEqual(t.declaredRequests(tool, { name }));
    }
    const { writes } = await t.cost(() => caller.use(tool, { name: "Larkmere" }));
    expect(writes).toBeLessThanOrEqual(2);
    expect((await t.audits(0, caller.callKey)).at(-1)).toMatchObject({ category: "api_call", success: true });
  });

  it("finds providers by specialty and location in the caller's words", async () => {
    const caller = t.phone(0);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { specialty: "heart doctor" }));
    expect(namesOf(answer)).toEqual(["Dr. Esther Marlstead"]);
    expect(requests).toEqual(t.declaredRequests(tool, { specialty: "heart doctor" }));
    expect(namesOf(await caller.use(tool, { specialty: "family doctor" }))).toEqual([
      "Dr. Amara Larkmere",
      "Dr. Bernard Dunstead",
      "Dr. Celia Thornwick",
    ]);
    expect(namesOf(await caller.use(tool, { specialty: "primary care", location: "north clinic" }))).toEqual(["Dr. Bernard Dunstead"]);
    const inTown = { location: "Mockford", specialty: "dermatologist" };
    const there = await t.ehrRequests(() => caller.use(tool, inTown));
    expect(namesOf(there.answer)).toEqual(["Dr. Farid Elmwick"]);
    expect(there.requests).toEqual(t.declaredRequests(tool, inTown));
    expect(namesOf(await caller.use(tool, { name: "Larkmere", specialty: "skin" }))).toEqual([]);
  });

  it("finds a woman or a man, a kind of doctor and a kind of visit, as callers say them in English and Spanish", async () => {
    const caller = t.phone(0);
    for (const name of ["a female doctor", "una doctora"]) {
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { name }));
      expect(namesOf(answer), name).toEqual(["Dr. Amara Larkmere", "Dr. Celia Thornwick", "Dr. Esther Marlstead", "Dr. Gloria Hazelcombe"]);
      expect(requests).toEqual(t.declaredRequests(tool, { name }));
    }
    for (const wish of [{ name: "a cardiologist" }, { specialty: "my heart" }, { specialty: "médico del corazón" }])
      expect(namesOf(await caller.use(tool, wish)), JSON.stringify(wish)).toEqual(["Dr. Esther Marlstead"]);
    expect(namesOf(await caller.use(tool, { name: "I'd like Dr. Larkmere please" }))).toEqual(["Dr. Amara Larkmere"]);
    expect((await caller.use(tool, { name: "a male cardiologist" })).speech).toBe(
      "I don't see a man for that here, but I found Doctor Esther Marlstead, cardiology, at Sampleton Main Clinic.",
    );
    expect((await caller.use(tool, { name: "mi doctora de siempre" })).speech).toBe(
      "I can look for a time with your usual doctor. Would you like that?",
    );
  });

  it("offers five at most and counts the others", async () => {
    const answer = await t.phone(0).use(tool);
    expect(answer.output).toMatchObject({ providers: { length: 5 }, more: 3 });
    expect(answer.speech).toMatch(
      /^I found 8 providers: Doctor Amara Larkmere, general practice, at Sampleton Main Clinic; .+; and \d more\.$/,
    );
  });

  it("finds no provider for an unknown name or a title alone", async () => {
    for (const name of ["No one", "Dr.", "12", "' OR 1=1"]) {
      const answer = await t.phone(0).use(tool, { name });
      expect(answer, name).toEqual({
        ok: true,
        speech: "I couldn't find anyone like that here. Shall I try another name, specialty or location?",
        output: { providers: [], more: 0 },
      });
    }
  });

  it("knows names alone on a server without roles, and says that it does not know more", async () => {
    const plainly = { without: ["PractitionerRole"] } as const;
    const answer = await t.phone(0).use(tool, { name: "Larkmere", specialty: "heart" }, plainly);
    expect(answer).toMatchObject({ ok: true, speech: "I found Doctor Amara Larkmere.", output: { more: 0 } });
    for (const wish of [{ specialty: "heart" }, { location: "north" }])
      expect(await t.phone(0).use(tool, wish, plainly)).toEqual({ ok: false, code: "ehr_unsupported", speech: sentences.ehr_unsupported });
    expect(await t.phone(0).use(tool, {}, { without: ["PractitionerRole", "Practitioner"] })).toMatchObject({
      ok: false,
      code: "ehr_unsupported",
    });
  });

  it("asks the EHR of its own tenant, and is one sentence when that is down", async () => {
    await t.fault(1, { kind: "503" });
    expect(await t.phone(1).use(tool)).toEqual({ ok: false, code: "ehr_unavailable", speech: sentences.ehr_unavailable });
    expect(namesOf(await t.phone(0).use(tool, { specialty: "pediatrician" }))).toEqual(["Dr. Dmitri Kelcombe"]);
  });
});
