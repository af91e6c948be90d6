import { AppError } from "@vitaline/core";
import type { Medication } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { dosageOf, readMedicationNames } from "./medications.ts";

const medication = (id: string, text: string): Medication => ({ resourceType: "Medication", id, code: { text } });
const { signal } = new AbortController();

function serverWith(...known: Medication[]) {
  const asked: string[] = [];
  const read = async (_type: string, id: string): Promise<never> => {
    asked.push(id);
    const found = known.find((one) => one.id === id);
    if (!found) throw new AppError("ehr_not_found", "Not here.");
    return found as never;
  };
  return { asked, read };
}

describe("the name of a medication", () => {
  it("is its own, else that of a contained, an included or a read resource, each read once", async () => {
    const server = serverWith(medication("far", "Far"), medication("near", "wrong"));
    const all = [
      { medicationCodeableConcept: { text: "Own" } },
      { medicationReference: { reference: "#in" }, contained: [medication("in", "Contained")] },
      { medicationReference: { reference: "Medication/near" } },
      { medicationReference: { reference: "Medication/far" } },
      { medicationReference: { reference: "Medication/far/_history/3" } },
      { medicationReference: { reference: "Medication/unread", display: "In words" } },
    ];
    const nameOf = await readMedicationNames(server, all, [medication("near", "Near")], signal);
    expect(all.map(nameOf)).toEqual(["Own", "Contained", "Near", "Far", "Far", "In words"]);
    expect(server.asked).toEqual(["far"]);
  });

  it("is not sought elsewhere, nor in circles, and not knowing it is no failure", async () => {
    const server = serverWith();
    const circle = { ...medication("a", ""), code: {}, ingredient: [{ itemReference: { reference: "#a" } }] };
    const all = [
      { medicationReference: { reference: "https://elsewhere.example/r4/Medication/near" } },
      { medicationReference: { reference: "#a" }, contained: [circle] },
      { medicationReference: { reference: "Medication/../Patient/1" } },
      { medicationReference: { reference: "Medication/gone" } },
      {},
    ];
    const nameOf = await readMedicationNames(server, all, [medication("near", "Near")], signal);
    expect(new Set(all.map(nameOf))).toEqual(new Set(["a medication the record does not name"]));
    expect(server.asked).toEqual(["gone"]);
  });

  it("is read for ten at most", async () => {
    const server = serverWith();
    const all = Array.from({ length: 30 }, (_, index) => ({ medicationReference: { reference: `Medication/${index}` } }));
    await readMedicationNames(server, all, [], signal);
    expect(server.asked).toHaveLength(10);
  });
});

describe("a dosage", () => {
  const taper = [
    { sequence: 2, text: "20 mg daily for 5 days" },
    { sequence: 1, text: "40 mg daily for 5 days" },
  ];

  it("is in the order of its sequence, and 'then' only parts steps that follow each other", () => {
    expect(dosageOf(taper)).toBe("40 mg daily for 5 days; then 20 mg daily for 5 days");
    expect(dosageOf([...taper, { sequence: 2, text: "ibuprofen as needed" }])).toBe(
      "40 mg daily for 5 days; then 20 mg daily for 5 days; ibuprofen as needed",
    );
    const mornings = [{ text: "One tablet in the morning" }, { text: "two tablets at night" }];
    expect(dosageOf(mornings)).toBe("One tablet in the morning; two tablets at night");
    expect(dosageOf([{ ...mornings[0], sequence: 2 }, mornings[1]!])).toBe("One tablet in the morning; two tablets at night");
  });

  it("is whole or absent: not cut, not without a step, and not with words taken out of it", () => {
    const step = "then 10 mg every morning for 3 days, ";
    expect(dosageOf([{ text: `Take ${step.repeat(2)}then stop` }])).toMatch(/then stop$/);
    expect(dosageOf([{ text: `Take ${step.repeat(5)}then stop` }])).toBeUndefined();
    expect(dosageOf([taper[1]!, { sequence: 2, text: step.repeat(4) }])).toBeUndefined();
    expect(dosageOf([taper[1]!, { sequence: 2 }])).toBeUndefined();
    expect(dosageOf([taper[1]!, { sequence: 2, text: " " }])).toBeUndefined();
    expect(dosageOf([{ text: "Take one if below <baseline, and never two" }])).toBeUndefined();
    expect(dosageOf([{ text: "Take one if glucose <70" }])).toBe("Take one if glucose <70");
    expect([dosageOf([]), dosageOf(undefined)]).toEqual([undefined, undefined]);
  });
});
