import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterEach(() => t.heal());
afterAll(() => t.close());

const tool = "getMedicationHistoryFhir";
type Resource = Parameters<Tools["platform"]["clinics"][0]["sandbox"]["put"]>[0];
const put = (resource: object) => t.platform.clinics[0].sandbox.put(resource as Resource);
const order = (patientId: string, id: string, text: string, more: object = {}) =>
  put({
    ...{ resourceType: "MedicationRequest", id, status: "active", intent: "order", subject: { reference: `Patient/${patientId}` } },
    ...{ medicationCodeableConcept: { text }, authoredOn: "2025-01-10", ...more },
  });
const statement = (patientId: string, id: string, text: string, more: object = {}) =>
  put({
    ...{ resourceType: "MedicationStatement", id, status: "active", subject: { reference: `Patient/${patientId}` } },
    ...{ medicationCodeableConcept: { text }, dateAsserted: "2026-10-01", ...more },
  });

describe("what a record holds beside current prescriptions", () => {
  it("says of a reported medication that it was stopped", async () => {
    const caller = await t.verified(0, 5, 2);
    await statement(caller.patientId, "st-warf", "Warfarin 5 mg", { status: "stopped" });
    const { speech } = await caller.use(tool, { medicationName: "warfarin" });
    expect(speech).toMatch(/stopped/);
  });

  it("does not hide what a patient takes behind an old prescription of that name that was stopped", async () => {
    const caller = await t.verified(0, 3, 2);
    await order(caller.patientId, "rx-apix", "Apixaban 5 mg", { status: "stopped", authoredOn: "2019-01-10" });
    await statement(caller.patientId, "st-apix", "Apixaban 5 mg");
    const { speech } = await caller.use(tool, { medicationName: "apixaban" });
    expect(speech).toMatch(/as the clinic has noted/);
  });

  it("tells active prescriptions also beside ten newer reported medications", async () => {
    const caller = await t.verified(0, 4, 2);
    await order(caller.patientId, "rx-dig", "Digoxin 125 mcg");
    for (let nth = 0; nth < 10; nth++) await statement(caller.patientId, `st-${nth}`, `Supplement ${"ABCDEFGHIJ"[nth]}`);
    const { speech } = await caller.use(tool, {});
    expect(speech).toMatch(/^You have one active prescription: Digoxin 125 mcg/);
  });

  it("does not say that there is no active prescription when it has not read all of them", async () => {
    const caller = await t.verified(0, 2, 2);
    for (let nth = 0; nth < 205; nth++)
      await order(caller.patientId, `a-old-${nth}`, `Amoxicillin ${nth}`, { status: "completed", authoredOn: "2015-01-10" });
    await order(caller.patientId, "z-new", "Insulin glargine", { authoredOn: "2026-10-10" });
    const { speech } = await caller.use(tool, { medicationName: "insulin" });
    expect(speech).not.toBe("I don't see a medication by that name on file.");
  });

  it("does not tell an order with a modifier that it does not understand as a prescription", async () => {
    const caller = await t.verified(0, 1, 2);
    await order(caller.patientId, "rx-mod", "Clopidogrel 75 mg", {
      modifierExtension: [{ url: "http://example.org/fhir/StructureDefinition/do-not-take", valueBoolean: true }],
    });
    const { speech } = await caller.use(tool, { medicationName: "clopidogrel" });
    expect(speech).not.toMatch(/active prescription for that: Clopidogrel/);
  });

  it("does not count a refill as left that the pharmacy is preparing", async () => {
    const caller = await t.verified(0, 5, 2);
    await order(caller.patientId, "rx-los", "Losartan 50 mg", { dispenseRequest: { numberOfRepeatsAllowed: 1 } });
    const fill = (id: string, more: object) =>
      put({
        ...{ resourceType: "MedicationDispense", id, subject: { reference: `Patient/${caller.patientId}` } },
        ...{
          medicationCodeableConcept: { text: "Losartan 50 mg" },
          authorizingPrescription: [{ reference: "MedicationRequest/rx-los" }],
          ...more,
        },
      });
    await fill("f1", { status: "completed", whenHandedOver: "2026-06-02" });
    expect((await caller.use(tool, { medicationName: "losartan" })).speech).toMatch(/one refill left/);
    await fill("f2", { status: "in-progress" });
    expect((await (await t.verified(0, 5, 2)).use(tool, { medicationName: "losartan" })).speech).not.toMatch(/refills? left/);
  });
});
