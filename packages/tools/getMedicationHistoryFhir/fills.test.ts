import type { MedicationDispense, MedicationRequest } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { fillsOf } from "./fills.ts";
import { unnamedMedication } from "../patient/medications.ts";

const order = (more: Partial<MedicationRequest> = {}): MedicationRequest => ({
  ...{ resourceType: "MedicationRequest", id: "rx", status: "active", intent: "order", subject: { reference: "Patient/1" } },
  ...{ medicationCodeableConcept: { text: "Metformin" }, dispenseRequest: { numberOfRepeatsAllowed: 3 } },
  ...more,
});
const fill = (day: string, of: string | undefined, text = "Metformin"): MedicationDispense => ({
  ...{ resourceType: "MedicationDispense", status: "completed", whenHandedOver: day, medicationCodeableConcept: { text } },
  ...(of ? { authorizingPrescription: [{ reference: of }] } : {}),
});
const nameOf = ({ medicationCodeableConcept }: { medicationCodeableConcept?: { text?: string | undefined } | undefined }) =>
  medicationCodeableConcept?.text ?? unnamedMedication;
const filled = (fills: MedicationDispense[], { isEvery = true, one = order() } = {}) =>
  fillsOf(fills, isEvery, nameOf, { timeZone: "America/New_York", now: new Date("2026-05-04T02:00:00Z") })(one);

describe("refills left", () => {
  it("are those allowed less those dispensed after the first fill, and never less than none", () => {
    const days = ["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01"];
    const left = (count: number) => filled(days.slice(0, count).map((day) => fill(day, "MedicationRequest/rx"))).refillsLeft;
    expect([0, 1, 2, 3, 4, 5].map(left)).toEqual([3, 3, 2, 1, 0, 0]);
    expect(filled([fill("2026-02-01", "MedicationRequest/rx"), fill("2026-01-05", "MedicationRequest/rx")]).lastFilled).toBe("2026-02-01");
  });

  it("are not guessed without all dispenses, without a number, for an inactive prescription, or if a dispense names no prescription", () => {
    const fills = [fill("2026-01-01", "MedicationRequest/rx")];
    expect(filled(fills, { isEvery: false }).refillsLeft).toBeUndefined();
    expect(filled(fills, { one: order({ dispenseRequest: {} }) }).refillsLeft).toBeUndefined();
    expect(filled(fills, { one: order({ status: "stopped" }) }).refillsLeft).toBeUndefined();
    expect(filled([fill("2026-01-01", undefined)])).toEqual({ lastFilled: "2026-01-01", refillsLeft: undefined });
  });

  it("are not told of a prescription that has expired; its last day counts", () => {
    const left = (end: string) =>
      filled([], { one: order({ dispenseRequest: { numberOfRepeatsAllowed: 3, validityPeriod: { end } } }) }).refillsLeft;
    expect(["2025-01-01", "2026-05-02", "2026-04", "2025", "2026-05-03T01:00:00Z", "soon", ""].map(left)).toEqual(Array(7).fill(undefined));
    expect(["2026-05-03", "2026-05", "2026", "2026-05-04T01:00:00Z", "2027-01-01"].map(left)).toEqual(Array(5).fill(3));
  });

  it("ignore another prescription's dispenses and unnamed medications", () => {
    expect(filled([fill("2026-01-01", "MedicationRequest/other")])).toEqual({ lastFilled: undefined, refillsLeft: 3 });
    expect(filled([fill("2026-01-01", undefined, "Lisinopril")]).lastFilled).toBeUndefined();
    expect(
      filled([fill("2026-01-01", undefined, unnamedMedication)], { one: order({ medicationCodeableConcept: {} }) }).lastFilled,
    ).toBeUndefined();
  });
});
