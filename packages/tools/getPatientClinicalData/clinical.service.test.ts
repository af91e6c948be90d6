import type { Ehr } from "@vitaline/fhir-providers";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool, type ToolContext } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";
import type { Output } from "./schema.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterEach(() => t.heal());
afterAll(() => t.close());

const tool = "getPatientClinicalData";
const outputOf = (answer: { output?: unknown }): Output => answer.output as Output;

describe("getPatientClinicalData", () => {
  it("tells a twice verified caller what the chart says, in words, for two write units and the requests it declares", async () => {
    const caller = await t.verified(0, 0, 2);
    await caller.use(tool);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool));
    const output = outputOf(answer);
    expect(output).toMatchObject({
      conditions: expect.arrayContaining(["Type 2 diabetes", "High blood pressure", "High cholesterol"]),
      allergies: [{ to: "Penicillin", reactions: ["Hives"] }],
      medications: expect.arrayContaining([
        { name: "Metformin 500 mg", dosage: "Take 1 tablet twice a day with meals" },
        { name: "Lisinopril 10 mg", dosage: "Take 1 tablet once a day" },
      ]),
      missing: [],
      notSupported: [],
    });
    expect([output.conditions?.length, output.medications?.length]).toEqual([3, 3]);
    expect(output.vitals).toHaveLength(3);
    expect(output.vitals).toContainEqual(expect.objectContaining({ value: "138/86", date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) }));
    expect(output.labs).toContainEqual(expect.objectContaining({ value: "7.1", unit: "%" }));
    expect(answer.speech).toMatch(/^Active conditions on file: .+\. Shall I go on with your allergies\?$/);
    for (const [category, said] of [
      ["conditions", /^Active conditions on file: [^.]+\.$/],
      ["allergies", /^Allergies on file: penicillin, which caused hives\.$/],
      ["vitals", /^Latest vital signs: Blood pressure 138 over 86 millimeters of mercury, .+, on \w+ \d+, \d{4}\.$/],
      ["labs", /^Latest lab results: Hemoglobin A1c 7\.1 percent on .+\.$/],
      ["medications", /^Active medications on file: .+\.$/],
    ] as const) {
      const { speech } = await caller.use(tool, { categories: category });
      expect(speech).toMatch(said);
      expect(speech).not.toMatch(/[\n{}_]|undefined|mmHg/);
    }
    expect(requests).toEqual(t.declaredRequests(tool));
    const { writes } = await t.cost(() => caller.use(tool));
    expect(writes).toBeLessThanOrEqual(2);
    expect((await t.audits(0, caller.callKey)).at(-1)).toMatchObject({
      action: `tool.${tool}`,
      category: "patient_access",
      success: true,
      resourceId: caller.patientId,
      detail: { action: "conditions,allergies,vitals,labs,medications" },
    });
  });

  it("reads only the requested categories, in any form a model sends", async () => {
    const caller = await t.verified(0, 0, 2);
    await caller.use(tool);
    for (const [said, asked] of [
      ["labs and vitals", ["vitals", "labs"]],
      [["Allergies"], ["allergies"]],
      ['["labs"]', ["labs"]],
      ["current medications, lab results", ["labs", "medications"]],
      ["allergies-conditions", ["conditions", "allergies"]],
      ["blood_pressure", ["vitals"]],
      ["all", ["conditions", "allergies", "vitals", "labs", "medications"]],
      [[], ["conditions", "allergies", "vitals", "labs", "medications"]],
      ["", ["conditions", "allergies", "vitals", "labs", "medications"]],
      [null, ["conditions", "allergies", "vitals", "labs", "medications"]],
    ] as const) {
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { categories: said }));
      const { missing: _m, notSupported: _n, labsFirst: _l, ...found } = outputOf(answer);
      expect(Object.keys(found).toSorted(), String(said)).toEqual(asked.toSorted());
      expect(requests).toEqual(t.declaredRequests(tool, { categories: said }));
    }
    expect(await caller.use(tool, { categories: "horoscope" })).toEqual({
      ok: false,
      code: "invalid_arguments",
      speech: "Would you like your conditions, allergies, vital signs, lab results or medications?",
      fields: { categories: "one or more of conditions, allergies, vitals, labs, medications" },
    });
  });

  it("begins with the lab results when the caller's words mean results", async () => {
    const caller = await t.verified(0, 0, 2);
    const said = async (categories: unknown) => (await caller.use(tool, { categories })).speech;
    for (const words of [
      "What were my last results?",
      "results",
      "my blood work",
      "¿Cuáles fueron mis últimos resultados?",
      "análisis de sangre",
    ])
      expect(await said(words), words).toMatch(/^Latest lab results: [^?]+\.$/);
    for (const words of ["labs and vitals", ["labs", "medications"], "all my test results"])
      expect(await said(words), String(words)).toMatch(
        /^Latest lab results: .+ Shall I go on with your (?:conditions|vital signs|medications)\?$/,
      );
    expect(await said("my blood pressure")).toMatch(/^Latest vital signs: [^?]+\.$/);
    expect(await said("conditions, results")).toMatch(/^Active conditions on file: /);
    expect(await said("")).toMatch(/^Active conditions on file: /);
  });

  it("says that none are known only if that is recorded, and otherwise that none are on file", async () => {
    const asked = await (await t.verified(0, 2, 2)).use(tool, { categories: "allergies" });
    expect(asked).toEqual({
      ok: true,
      speech: "The record says: No known allergies.",
      output: { allergies: [], noKnownAllergies: "No known allergies", missing: [], notSupported: [] },
    });
    const never = await (await t.verified(0, 5, 2)).use(tool, { categories: ["allergies", "conditions"] });
    expect(never).toEqual({
      ok: true,
      speech: "I don't see any active conditions on file. Shall I go on with your allergies?",
      output: { conditions: [], allergies: [], missing: [], notSupported: [] },
    });
  });

  it("asks a stranger and a caller who gave one detail for more, and asks the EHR nothing", async () => {
    const once = await t.verified(0, 0);
    for (const [caller, speech] of [
      [t.phone(0), sentences.identity_required],
      [once, expect.stringMatching(/^For that I need one more detail: /) as string],
    ] as const) {
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { patientId: t.patients[1]!.id }));
      expect([answer, requests]).toEqual([{ ok: false, code: "identity_required", speech }, []]);
    }
  });

  it("is the verified patient's, even if the model sends another patient id, and of this tenant's call", async () => {
    const caller = await t.verified(0, 2, 2);
    const answer = await caller.use(tool, { patientId: t.patients[0]!.id, categories: "conditions" });
    expect(outputOf(answer).conditions).toEqual(["Underactive thyroid"]);
    expect(await runTool(t.context(1), caller.call(tool, {}))).toMatchObject({ ok: false, code: "identity_required" });
  });

  it("gives the other parts when one fails or never answers, and names it", async () => {
    const caller = await t.verified(0, 0, 2);
    await t.fault(0, { kind: "503", match: { path: "/r4/Observation" } });
    await t.fault(0, { kind: "hang", match: { path: "/r4/Condition" } });
    const answer = await caller.use(tool);
    expect(outputOf(answer)).toMatchObject({
      allergies: [{ to: "Penicillin" }],
      missing: ["conditions", "vitals", "labs"],
      notSupported: [],
    });
    expect(outputOf(answer)).not.toHaveProperty("conditions");
    expect(answer.speech).toMatch(/ I couldn't look up your conditions, vital signs and lab results just now\./);
    expect(answer).toMatchObject({ ok: true });
  });

  it("reports a category as missing, not empty, when its results were another patient's or had no owner", async () => {
    const caller = await t.verified(0, 0, 2);
    const foreign = { reference: `Patient/${t.patients[1]!.id}` };
    for (const patient of [foreign, undefined]) {
      const ctx = t.context(0);
      const odd: ToolContext = {
        ...ctx,
        openEhr: async (...args) => {
          const ehr = await ctx.openEhr(...args);
          const search: Ehr["search"] = async (type, ...more) =>
            (await ehr.search(type, ...more)).map((one) => (type === "AllergyIntolerance" ? { ...one, patient } : one) as never);
          return { ...ehr, search };
        },
      };
      const answer = await runTool(odd, caller.call(tool, { categories: "allergies, conditions" }));
      expect(outputOf(answer)).toMatchObject({ missing: ["allergies"], conditions: expect.anything() });
      expect(answer.speech).toMatch(/ I couldn't look up your allergies just now\.$/);
      expect(answer.speech).not.toMatch(/any allergies/);
    }
  });

  it("C11: tells the latest results also where the server keeps them in no order", async () => {
    const caller = await t.verified(0, 1, 2);
    const put = (id: string, effectiveDateTime: string, value: number) =>
      t.platform.clinics[0].sandbox.put({
        resourceType: "Observation",
        id,
        status: "final",
        category: [{ coding: [{ system: "http://terminology.hl7.org/CodeSystem/observation-category", code: "laboratory" }] }],
        code: { text: "Ferritin" },
        subject: { reference: `Patient/${caller.patientId}` },
        effectiveDateTime,
        valueQuantity: { value, unit: "ng/mL" },
      } as Parameters<Tools["platform"]["clinics"][0]["sandbox"]["put"]>[0]);
    const yearsAgo = (years: number) => new Date(Date.now() - years * 365 * 86_400_000 - 3_600_000).toISOString();
    for (let nth = 0; nth < 50; nth++) await put(`old-${nth}`, yearsAgo(5 + (nth % 7)), nth + 1);
    await put("new", yearsAgo(0), 77);
    await t.fault(0, { kind: "unsorted" });
    const { labs = [] } = outputOf(await caller.use(tool, { categories: "labs" }));
    expect(labs.find(({ name }) => name === "Ferritin")).toMatchObject({ value: "77" });
  });

  it("is one sentence when nothing answers", async () => {
    const caller = await t.verified(1, 0, 2);
    await t.fault(1, { kind: "503" });
    expect(await caller.use(tool)).toEqual({ ok: false, code: "ehr_unavailable", speech: sentences.ehr_unavailable });
    await t.heal();
    await t.fault(1, { kind: "html", match: { path: "/r4" } });
    const answer = await caller.use(tool);
    expect(answer).toMatchObject({ ok: false, speech: expect.not.stringMatching(/[<>{}]/) });
  });

  it("names what the EHR does not have, and asks for nothing when it has none of it", async () => {
    const caller = await t.verified(0, 0, 2);
    const partly = await caller.use(tool, {}, { without: ["Observation"] });
    expect(outputOf(partly)).toMatchObject({ notSupported: ["vitals", "labs"], missing: [] });
    expect(partly.speech).toMatch(/can't look up your vital signs and lab results in the clinic's record system\./);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, { categories: "labs" }, { without: ["Observation"] }));
    expect([answer, requests]).toEqual([{ ok: false, code: "ehr_unsupported", speech: sentences.ehr_unsupported }, []]);
  });
});
