import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EhrServer } from "./platform.fixture.ts";
import { startTools, type Tools } from "./tools.fixture.ts";

const servers: EhrServer[] = [
  ...(["plain", "readonly", "epic-like", "cerner-like"] as const).flatMap((personality) =>
    (["R4", "STU3", "DSTU2"] as const).flatMap((version) =>
      personality === "cerner-like" && version === "STU3" ? [] : [{ personality, version }],
    ),
  ),
  { personality: "hapi-like", version: "R4" },
];

let t: Tools;
beforeAll(async () => void (t = await startTools()), 60_000);
afterAll(() => t.close());

describe.each(servers)("at a server that is $personality and speaks $version, a verified caller", (server) => {
  let caller: Awaited<ReturnType<Tools["verified"]>>;
  beforeAll(async () => {
    await t.connect(0, server);
    caller = await t.verified(0, 0, 2);
  });

  it("hears who they are", async () => {
    const { given, family, phone } = t.patients[0]!;
    expect(await caller.use("getPatientInfo")).toMatchObject({
      ok: true,
      output: { firstName: given, lastName: family, phoneEndsIn: phone.slice(-2) },
    });
  });

  it("hears what the chart says", async () => {
    const { ok, output } = await caller.use("getPatientClinicalData");
    expect([ok, output]).toMatchObject([
      true,
      {
        conditions: expect.arrayContaining(["Type 2 diabetes", "High blood pressure", "High cholesterol"]),
        allergies: [{ to: "Penicillin", reactions: ["Hives"] }],
        vitals: expect.arrayContaining([expect.objectContaining({ value: "138/86", unit: "mmHg" })]),
        labs: expect.arrayContaining([expect.objectContaining({ value: "7.1", unit: "%" })]),
        medications: expect.arrayContaining([{ name: "Metformin 500 mg", dosage: "Take 1 tablet twice a day with meals" }]),
        missing: [],
        notSupported: [],
      },
    ]);
    expect(output).toMatchObject({ conditions: { length: 3 }, medications: { length: 3 } });
  });

  it("hears their prescriptions", async () => {
    const { ok, output } = await caller.use("getMedicationHistoryFhir", { medicationName: "lisinopril", activeOnly: true });
    expect([ok, output]).toMatchObject([
      true,
      {
        medications: [
          {
            name: "Lisinopril 10 mg",
            status: "active",
            source: "prescribed",
            dosage: "Take 1 tablet once a day",
            ...(server.personality === "hapi-like" ? {} : { prescriber: expect.stringMatching(/^Dr\. /) }),
          },
        ],
        missing: [],
      },
    ]);
  });

  it("hears of their insurance", async () => {
    const { ok, output } = await caller.use("verifyInsurance", { payerName: "Sampleton Mutual" });
    expect([ok, output]).toMatchObject([
      true,
      { payerMatches: true, coverages: [{ payer: "Sampleton Mutual Health", period: "current" }] },
    ]);
  });

  it("finds a provider by name", async () => {
    const { ok, output } = await t.phone(0).use("getFhirProviders", { name: "Dr. Larkmere" });
    expect([ok, output]).toMatchObject([true, { providers: [{ name: expect.stringContaining("Amara Larkmere") }], more: 0 }]);
  });

  it("finds a provider by specialty and place, unless the server knows names alone", async () => {
    const { code, output } = await t.phone(0).use("getFhirProviders", { specialty: "family doctor", location: "Mockford" });
    if (server.personality === "cerner-like") expect(code).toBe(server.version === "DSTU2" ? "ehr_invalid" : "ehr_unsupported");
    else
      expect(output).toMatchObject({
        providers: [{ name: expect.stringContaining("Bernard Dunstead"), locations: ["Mockford North Clinic"] }],
      });
  });
});
