import type {
  AllergyIntolerance,
  Condition,
  Coverage,
  Flag,
  MedicationDispense,
  MedicationRequest,
  Observation,
  RelatedPerson,
} from "fhir/r4.js";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openClinic, someMonday } from "../clinic.fixture.ts";
import { parseReference, resourceTypes, type Stored } from "../store/resource.ts";
import { chartTypes } from "./chart-resources.ts";
import { generatePatients } from "./patients.ts";

const referencesIn = (value: unknown): string[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, part]) => (name === "reference" ? [String(part)] : referencesIn(part)));

describe("the charts of the sandbox", () => {
  it("are those of the demo table for the demo patients", async () => {
    const { found } = await openClinic();
    const active = found<Condition>("Condition", "patient=patient-1001&clinical-status=active&category=problem-list-item");
    expect(active.map(({ code }) => code?.text)).toEqual(["Type 2 diabetes", "High blood pressure", "High cholesterol"]);
    expect(found<AllergyIntolerance>("AllergyIntolerance", "patient=patient-1001")[0]).toMatchObject({
      criticality: "high",
      code: { text: "Penicillin" },
    });
    expect(found<AllergyIntolerance>("AllergyIntolerance", "patient=patient-1003").map(({ code }) => code?.text)).toEqual([
      "No known allergies",
    ]);
    expect(found("AllergyIntolerance", "patient=patient-1006")).toEqual([]);
    const prescribed = found<MedicationRequest>("MedicationRequest", "patient=patient-1001&status=active");
    expect(prescribed.map(({ dispenseRequest }) => dispenseRequest?.numberOfRepeatsAllowed)).toEqual([3, 2, 0]);
    expect(found<MedicationRequest>("MedicationRequest", "patient=patient-1004&status=stopped")).toHaveLength(1);
    expect(found<MedicationDispense>("MedicationDispense", `prescription=${prescribed[0]!.id}`)).toHaveLength(3);
    expect(found<Coverage>("Coverage", "patient=patient-1004&status=active").map(({ payor }) => payor[0]?.display)).toEqual([
      "Sampleton Mutual Health",
      "Exampleville Basic Insurance",
    ]);
    expect(found<Coverage>("Coverage", "patient=patient-1003")[0]).toMatchObject({ status: "active", period: { end: "2026-10-14" } });
    expect(found("Coverage", "patient=patient-1005")).toEqual([]);
  });

  it("name a drug by its code, by a Medication and by a contained one", async () => {
    const { found } = await openClinic();
    const [byCode, byReference, contained] = found<MedicationRequest>("MedicationRequest", "patient=patient-1001&status=active");
    expect(byCode!.medicationCodeableConcept?.text).toBe("Metformin 500 mg");
    expect(byReference!.medicationReference?.reference).toBe("Medication/medication-lisinopril");
    expect(contained).toMatchObject({
      medicationReference: { reference: "#drug" },
      contained: [{ resourceType: "Medication", id: "drug", code: { text: "Atorvastatin 40 mg" } }],
    });
  });

  it("hold measurements of the last year, blood pressure in two parts", async () => {
    const { found } = await openClinic();
    const [latest, ...earlier] = found<Observation>("Observation", "patient=patient-1001&code=http://loinc.org|85354-9&_sort=-date");
    expect(latest!.component!.map(({ valueQuantity }) => valueQuantity?.value)).toEqual([138, 86]);
    expect(latest!.effectiveDateTime).toBe("2026-11-03T15:20:00Z");
    expect(earlier).toHaveLength(3);
    expect(found<Observation>("Observation", "patient=patient-1001&category=laboratory&code=4548-4&_sort=-date")[0]).toMatchObject({
      valueQuantity: { value: 7.1, code: "%" },
      interpretation: [{ coding: [{ code: "H" }] }],
    });
  });

  it("are the same whichever is opened first, and for the same seed", async () => {
    const [one, two] = [await openClinic(), await openClinic()];
    const ids = ["patient-1180", "patient-1001", "patient-1077"];
    const read = ({ store }: typeof one, order: string[]) =>
      Object.fromEntries(order.map((id) => [id, chartTypes.flatMap((type): Stored[] => store.all(type, id))]));
    expect(read(one, ids)).toEqual(read(two, ids.toReversed()));
  });

  it("have no broken reference, and each resource is read by id without a search before", async () => {
    const { store } = await openClinic();
    const missing = resourceTypes
      .flatMap((type): Stored[] => store.all(type))
      .flatMap((resource) => referencesIn(resource).filter((reference) => !reference.startsWith("#")))
      .filter((reference) => {
        const { type, id } = parseReference(reference)!;
        return !store.get(type as "Patient", id);
      });
    expect(missing).toEqual([]);
    expect((await openClinic()).read("Coverage", "coverage-1001-1").subscriberId).toBe("MEM10011");
  });

  it("stay as they were written when the sandbox starts again, with every change since", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "sandbox-ehr-charts-"));
    const first = await openClinic({ dataDir });
    const before = first.found<Observation>("Observation", "patient=patient-1002");
    const changed = first.read("Coverage", "coverage-1002-1");
    await first.store.commit([{ ...changed, status: "cancelled" }]);
    await first.store.close();
    const second = await openClinic({ dataDir, now: new Date(someMonday.getTime() + 9 * 86_400_000) });
    expect(second.found("Observation", "patient=patient-1002")).toEqual(before);
    expect(second.read("Coverage", "coverage-1002-1")).toMatchObject({ status: "cancelled", meta: { versionId: "2" } });
    await second.store.close();
    await rm(dataDir, { recursive: true });
  });
});

describe("the special patients", () => {
  it("are minors with a parent and others who may not speak for them, one who had other contacts and another name, and one without a phone", async () => {
    const { store, found } = await openClinic();
    for (const [id, years] of [
      ["patient-1051", 2],
      ["patient-1054", 17],
    ] as const) {
      const { birthDate } = store.get("Patient", id)!;
      expect(Math.floor((someMonday.getTime() - Date.parse(birthDate!)) / (365.25 * 86_400_000))).toBe(years);
      expect(found("RelatedPerson", `patient=${id}`)).toHaveLength(1);
    }
    const inactive = found<RelatedPerson>("RelatedPerson", "patient=patient-1052").map(({ active }) => active);
    const expired = found<RelatedPerson>("RelatedPerson", "patient=patient-1053").map(({ period }) => period?.end);
    expect([inactive, expired]).toEqual([
      [true, false],
      [undefined, "2026-05-07"],
    ]);
    expect(found<Flag>("Flag", "patient=patient-1055")).toMatchObject([
      { status: "active", code: { text: expect.stringMatching(/^Custody/) } },
    ]);
    expect(store.get("Patient", "patient-1061")!.telecom!.filter(({ use }) => use === "old")).toHaveLength(2);
    expect(store.get("Patient", "patient-1062")!.name!.map(({ use }) => use)).toEqual(["official", "old", "nickname"]);
    expect(store.get("Patient", "patient-1063")!.telecom!.map(({ system }) => system)).toEqual(["email"]);
  });

  it("leave the other patients as generated", async () => {
    const { store } = await openClinic();
    const stored = new Map(store.all("Patient").map((patient) => [patient.id, patient]));
    const other = generatePatients(20).filter((patient) => {
      const { meta, ...rest } = stored.get(patient.id)!;
      const { meta: generated, ...wanted } = patient;
      expect(meta.tag).toEqual(generated?.tag);
      return JSON.stringify(rest) !== JSON.stringify(wanted);
    });
    expect(stored.size).toBe(200);
    expect(other.map(({ id }) => id)).toEqual([1051, 1052, 1053, 1054, 1055, 1061, 1062, 1063].map((number) => `patient-${number}`));
  });
});
