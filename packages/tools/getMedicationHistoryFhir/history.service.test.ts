import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runTool } from "../index.ts";
import { sentences } from "../test/sentences.fixture.ts";
import { startTools, type Tools } from "../test/tools.fixture.ts";
import type { Output } from "./schema.ts";

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterEach(() => t.heal());
afterAll(() => t.close());

const tool = "getMedicationHistoryFhir";
const outputOf = (answer: { output?: unknown }): Output => answer.output as Output;
const day = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);

describe("getMedicationHistoryFhir", () => {
  it("names prescriptions for any kind of medication reference, with fills and refills as recorded, for two write units", async () => {
    const caller = await t.verified(0, 0, 2);
    await caller.use(tool);
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool));
    const { medications, more, missing } = outputOf(answer);
    expect([medications.map(({ status }) => status), more, missing]).toEqual([["active", "active", "active", "completed"], 0, []]);
    expect(medications).toContainEqual({
      ...{ name: "Metformin 500 mg", status: "active", source: "prescribed", dosage: "Take 1 tablet twice a day with meals" },
      ...{ prescriber: expect.stringContaining("Dr. "), authoredOn: day, lastFilled: day, refillsLeft: 1 },
    });
    expect(medications.map(({ name, refillsLeft }) => [name, refillsLeft])).toEqual(
      expect.arrayContaining([
        ["Lisinopril 10 mg", 1],
        ["Atorvastatin 40 mg", 0],
      ]),
    );
    expect(answer.speech).toMatch(/^You have 3 active prescriptions: .+, last filled on .+\.$/);
    expect(requests).toEqual(t.declaredRequests(tool));
    const { writes } = await t.cost(() => caller.use(tool));
    expect(writes).toBeLessThanOrEqual(2);
  });

  it("names the one active prescription that a refill is about, and promises nothing", async () => {
    const caller = await t.verified(0, 0, 2);
    for (const medicationName of ["metformin", "Met Formin", "METFORMIN 500"]) {
      const { speech, output } = await caller.use(tool, { medicationName, activeOnly: "true" });
      expect(output).toMatchObject({
        asked: medicationName,
        medications: [{ name: "Metformin 500 mg", status: "active", refillsLeft: 1 }],
      });
      expect(speech).toMatch(
        /^You have one active prescription for that: Metformin 500 mg, prescribed by Doctor .+, take 1 tablet twice a day with meals\. It was last filled on .+, with one refill left on the prescription\.$/,
      );
      expect(speech).not.toMatch(/\b(will|can|be refilled|sent|ready)\b/i);
    }
    const { speech } = await caller.use(tool, { medicationName: "amoxicillin" });
    expect(speech).toBe("I don't see an active prescription for that. Also on file: Amoxicillin 500 mg, completed.");
    expect((await caller.use(tool, { medicationName: "aspirin" })).speech).toBe("I don't see a medication by that name on file.");
  });

  it("tells reported medications apart from prescriptions", async () => {
    const { output, speech } = await (await t.verified(0, 4, 2)).use(tool);
    expect(output).toMatchObject({ medications: [{ source: "reported", status: "active" }] });
    expect(speech).toMatch(/^I don't see an active prescription\. Also on file: Ibuprofen .+, as the clinic has noted\.$/);
    expect((await (await t.verified(0, 5, 2)).use(tool)).speech).toBe("I don't see any medications on file.");
  });

  it("leaves out fills that cannot be read, says so, and then counts no refills", async () => {
    const caller = await t.verified(0, 0, 2);
    await t.fault(0, { kind: "503", match: { path: "/r4/MedicationDispense" } });
    const { output, speech } = await caller.use(tool, { medicationName: "metformin" });
    expect(output).toMatchObject({ missing: ["fills"], medications: [{ name: "Metformin 500 mg" }] });
    expect(outputOf({ output }).medications[0]).not.toHaveProperty("refillsLeft");
    expect(speech).toMatch(/ I couldn't get everything about your medications just now\.$/);
    await t.heal();
    const without = await caller.use(tool, { medicationName: "metformin" }, { without: ["MedicationDispense", "MedicationStatement"] });
    expect(outputOf(without)).toMatchObject({ missing: [] });
    expect(outputOf(without).medications[0]).not.toHaveProperty("refillsLeft");
  });

  it("is refused to a stranger, to who gave one detail, and at another tenant", async () => {
    const once = await t.verified(0, 0);
    for (const [caller, speech] of [
      [t.phone(0), sentences.identity_required],
      [once, expect.stringMatching(/^For that I need one more detail: /) as string],
    ] as const) {
      const { answer, requests } = await t.ehrRequests(() => caller.use(tool));
      expect([answer, requests]).toEqual([{ ok: false, code: "identity_required", speech }, []]);
    }
    const caller = await t.verified(0, 2, 2);
    expect(await runTool(t.context(1), caller.call(tool, {}))).toMatchObject({ ok: false, code: "identity_required" });
    const { output } = await caller.use(tool, { patientId: t.patients[0]!.id });
    expect(outputOf({ output }).medications.map(({ name }) => name)).toEqual([expect.stringContaining("Levothyroxine")]);
  });

  it("is one sentence when the EHR is down, and another when it keeps no prescriptions", async () => {
    const caller = await t.verified(1, 0, 2);
    await caller.use(tool);
    await t.fault(1, { kind: "503" });
    expect(await caller.use(tool)).toEqual({ ok: false, code: "ehr_unavailable", speech: sentences.ehr_unavailable });
    await t.heal();
    const { answer, requests } = await t.ehrRequests(() => caller.use(tool, {}, { without: ["MedicationRequest"] }));
    expect([answer, requests]).toEqual([{ ok: false, code: "ehr_unsupported", speech: sentences.ehr_unsupported }, []]);
  });
});
