import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Ehr } from "@vitaline/fhir-providers";
import { runTool, type ToolContext } from "../index.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterEach(() => t.heal());
afterAll(() => t.close());

const tool = "getPatientClinicalData";
type Resource = Parameters<Tools["platform"]["clinics"][0]["sandbox"]["put"]>[0];
const put = (resource: object) => t.platform.clinics[0].sandbox.put(resource as Resource);
const concept = (system: string, code: string) => ({ coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }] });
const condition = (patientId: string, id: string, text: string, more: object = {}) =>
  put({
    ...{ resourceType: "Condition", id, subject: { reference: `Patient/${patientId}` }, code: { text } },
    ...{ category: [concept("condition-category", "problem-list-item")], ...more },
  });
const observation = (patientId: string, id: string, text: string, more: object = {}) =>
  put({
    ...{ resourceType: "Observation", id, status: "final", subject: { reference: `Patient/${patientId}` }, code: { text } },
    ...{ category: [concept("observation-category", "laboratory")], effectiveDateTime: "2026-11-20T15:00:00Z", ...more },
  });

describe("what a chart holds beside plain current values", () => {
  it("does not call a condition active that has ended", async () => {
    const caller = await t.verified(0, 5, 2);
    await condition(caller.patientId, "c-pneu", "Pneumonia", { abatementDateTime: "2015-03-01" });
    const { speech } = await caller.use(tool, { categories: "conditions" });
    expect(speech).not.toMatch(/Pneumonia/);
  });

  it("does not call a condition active that is only one of several possible diagnoses", async () => {
    const caller = await t.verified(0, 4, 2);
    await condition(caller.patientId, "c-ca", "Lung cancer", {
      clinicalStatus: concept("condition-clinical", "active"),
      verificationStatus: concept("condition-ver-status", "differential"),
    });
    const { speech } = await caller.use(tool, { categories: "conditions" });
    expect(speech).not.toMatch(/Active conditions on file: .*Lung cancer/);
  });

  it("does not tell a measurement of someone else, such as the fetus, as the patient's", async () => {
    const caller = await t.verified(0, 4, 2);
    await observation(caller.patientId, "o-fetus", "Heart rate", {
      category: [concept("observation-category", "vital-signs")],
      focus: [{ display: "Fetus" }],
      valueQuantity: { value: 168, unit: "/min" },
    });
    const { speech } = await caller.use(tool, { categories: "vitals" });
    expect(speech).not.toMatch(/168/);
  });

  it("says that a result is preliminary", async () => {
    const caller = await t.verified(0, 5, 2);
    await observation(caller.patientId, "o-pre", "Blood culture", { status: "preliminary", valueString: "No growth" });
    const { speech } = await caller.use(tool, { categories: "labs" });
    expect(speech).toMatch(/preliminary/i);
  });

  it("does not call an old result the latest when the newest is of a kind that it does not read", async () => {
    const caller = await t.verified(0, 3, 2);
    await observation(caller.patientId, "o-old", "HIV test reactive", { effectiveDateTime: "2019-11-20T15:00:00Z", valueString: "No" });
    await observation(caller.patientId, "o-new", "HIV test reactive", { valueBoolean: true });
    const { output, speech } = await caller.use(tool, { categories: "labs" });
    expect([JSON.stringify(output), speech].join()).not.toMatch(/"HIV test reactive","value":"No"/);
  });

  it("does not say that there are no results when there are some that it does not read", async () => {
    const caller = await t.verified(0, 5, 2);
    await observation(caller.patientId, "o-titer", "ANA titer", { valueRatio: { numerator: { value: 1 }, denominator: { value: 640 } } });
    const { speech } = await caller.use(tool, { categories: "labs" });
    expect(speech).not.toBe("I don't see any lab results on file.");
  });

  it("says what is less than a bound in words", async () => {
    const caller = await t.verified(0, 2, 2);
    await observation(caller.patientId, "o-lt", "Troponin", { valueQuantity: { value: 0.01, comparator: "<", unit: "ng/mL" } });
    const { speech } = await caller.use(tool, { categories: "labs" });
    expect(speech).toContain("Troponin less than 0.01");
  });

  it("does not mix two results of the same name, of blood and of urine", async () => {
    const caller = await t.verified(0, 1, 2);
    await observation(caller.patientId, "o-b", "Glucose", {
      valueQuantity: { value: 400, unit: "mg/dL" },
      effectiveDateTime: "2026-11-20T15:00:00Z",
    });
    await observation(caller.patientId, "o-u", "Glucose", {
      specimen: { display: "Urine" },
      valueQuantity: { value: 5, unit: "mg/dL" },
      effectiveDateTime: "2026-11-20T15:30:00Z",
    });
    const { speech } = await caller.use(tool, { categories: "labs" });
    expect(speech).toMatch(/Glucose, Urine 5 milligrams.*Glucose 400 milligrams/);
  });

  it("does not say that no medication is active when it has not read all of them", async () => {
    const caller = await t.verified(0, 2, 2);
    const ctx = t.context(0);
    const ignoring: ToolContext = {
      ...ctx,
      openEhr: async (...args) => {
        const ehr = await ctx.openEhr(...args);
        const search: Ehr["search"] = async (type, ...more) =>
          (type as string) === "MedicationRequest"
            ? (Array.from({ length: 100 }, (_, nth) => ({
                ...{ resourceType: "MedicationRequest", id: `m-${nth}`, status: "completed", intent: "order" },
                ...{ subject: { reference: `Patient/${caller.patientId}` }, medicationCodeableConcept: { text: "Old" } },
              })) as never)
            : ehr.search(type, ...more);
        return { ...ehr, search };
      },
    };
    const { speech } = await runTool(ignoring, caller.call(tool, { categories: "medications" }));
    expect(speech).not.toBe("I don't see any active medications on file.");
  });
});
