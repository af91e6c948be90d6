import type { Bundle, Medication, MedicationRequest, PractitionerRole } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { openClinic, resourcesIn } from "../clinic.fixture.ts";
import { Refusal } from "../http/http.ts";
import type { ResourceType } from "../store/resource.ts";
import { createSearch } from "./search.ts";

const clinic = await openClinic();
const total = (type: ResourceType, query: string) => clinic.search(type, query).total;

describe("a search", () => {
  it("takes a reference with and without its type", () => {
    for (const [type, name] of [
      ["Condition", "patient"],
      ["Condition", "subject"],
      ["Coverage", "beneficiary"],
      ["MedicationRequest", "patient"],
    ] as const) {
      const counts = ["patient-1001", "Patient/patient-1001", "https://ehr.test/r4/Patient/patient-1001"].map((value) =>
        total(type, `${name}=${value}`),
      );
      expect(counts[0], type).toBeGreaterThan(0);
      expect(new Set(counts).size).toBe(1);
      expect(total(type, `${name}=Practitioner/patient-1001`)).toBe(0);
    }
  });

  it("finds the same in one chart as among all", () => {
    for (const type of ["Observation", "MedicationRequest", "Appointment", "AllergyIntolerance"] as const)
      expect(total(type, "patient=patient-1001,patient-unknown")).toBe(total(type, "patient=patient-1001"));
  });

  it("takes tokens as code and as system and code, and several of them", () => {
    const chart = "patient=patient-1001";
    expect(total("Condition", `${chart}&code=http://hl7.org/fhir/sid/icd-10-cm|I10`)).toBe(1);
    expect(total("Condition", `${chart}&code=http://snomed.info/sct|I10`)).toBe(0);
    expect(total("Condition", `${chart}&clinical-status=http://terminology.hl7.org/CodeSystem/condition-clinical|resolved`)).toBe(1);
    expect(total("MedicationRequest", `${chart}&status=active,completed`)).toBe(4);
  });

  it("compares dates by their prefixes and sorts by them", () => {
    const chart = "patient=patient-1001&code=4548-4";
    expect(total("Observation", `${chart}&date=ge2026-08-01`)).toBe(2);
    expect(total("Observation", `${chart}&date=ge2026-08-01&date=lt2026-11-01`)).toBe(1);
    expect(total("Observation", `${chart}&date=2026-11-03`)).toBe(1);
    const dates = clinic.found<{ resourceType: "Observation"; effectiveDateTime: string }>("Observation", `${chart}&_sort=-date`);
    expect(dates.map(({ effectiveDateTime }) => effectiveDateTime.slice(0, 10))).toEqual(["2026-11-03", "2026-08-05", "2026-05-02"]);
    expect(total("Patient", "_lastUpdated=gt2026-11-24")).toBe(0);
  });

  it("includes each referenced resource once", () => {
    const drugs = clinic.search("MedicationRequest", "patient=patient-1001&_include=MedicationRequest:medication");
    expect(resourcesIn<Medication>(drugs, "include").map(({ id }) => id)).toEqual(["medication-lisinopril"]);
    const roles = clinic.search("PractitionerRole", "_include=PractitionerRole:practitioner&_include=PractitionerRole:location");
    expect(
      resourcesIn(roles, "include")
        .map(({ resourceType }) => resourceType)
        .sort(),
    ).toEqual([...Array.from({ length: 2 }, () => "Location"), ...Array.from({ length: 8 }, () => "Practitioner")]);
  });

  it("finds staff by the words of a specialty and by what they are linked to", () => {
    const doctors = (query: string) =>
      clinic.found<PractitionerRole>("PractitionerRole", query).map(({ practitioner }) => practitioner?.display);
    expect(doctors("specialty:text=cardio")).toEqual(["Dr. Esther Marlstead"]);
    expect(doctors("specialty:text=practice")).toHaveLength(3);
    expect(doctors("practitioner.name=marl")).toEqual(["Dr. Esther Marlstead"]);
    expect(doctors("practitioner:Practitioner.family:exact=Marlstead")).toEqual(["Dr. Esther Marlstead"]);
    expect(doctors("practitioner.family:exact=marlstead")).toEqual([]);
    expect(doctors("location.name=mockford")).toHaveLength(3);
    expect(total("Practitioner", "name=esther")).toBe(1);
    expect(total("Slot", "schedule.actor=Practitioner/practitioner-5")).toBe(240);
  });

  it("pages as long as there is more, and counts without showing", () => {
    const search = createSearch(clinic.store, "https://ehr.test/r4", { defaultCount: 5, maxCount: 7 });
    const seen: string[] = [];
    let bundle: Bundle = search.run("Observation", new URLSearchParams("patient=patient-1001&_count=1000"));
    for (;;) {
      seen.push(...resourcesIn(bundle).map(({ id }) => id!));
      const next = bundle.link?.find(({ relation }) => relation === "next")?.url;
      if (!next) break;
      bundle = search.run("Observation", new URL(next).searchParams);
    }
    expect([new Set(seen).size, seen.length, bundle.total]).toEqual([17, 17, 17]);
    expect(search.run("Observation", new URLSearchParams("patient=patient-1001")).entry).toHaveLength(5);
    expect(search.run("Observation", new URLSearchParams("patient=patient-1001&_summary=count"))).toEqual({
      resourceType: "Bundle",
      type: "searchset",
      total: 17,
    });
  });

  it("refuses parameters, modifiers, chains, includes and orders it does not know", () => {
    const queries = [
      "shoe=1",
      "constructor=1",
      "code:below=1",
      "patient.shoe=1",
      "code.name=1",
      "_include=Observation:shoe",
      "_sort=shoe",
      "date=soon",
    ];
    for (const query of queries) expect(() => clinic.search("Observation", query), query).toThrow(Refusal);
  });
});

describe("medication requests", () => {
  it("are found by the drug they name in themselves", () => {
    const named = clinic.found<MedicationRequest>("MedicationRequest", "patient=patient-1001&code=861007");
    expect(named.map(({ id }) => id)).toEqual(["medicationrequest-1001-1"]);
  });
});
