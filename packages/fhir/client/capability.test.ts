import { afterEach, describe, expect, it } from "vitest";
import { codeOf, contextFor, json, type OddServer, startOddServer } from "../fhir.fixture.ts";
import {
  type CapabilityStore,
  type CapabilitySummary,
  createFhirClient,
  type FhirVersion,
  parseFhirVersion,
  parseStatement,
  toCapability,
} from "../index.ts";

const servers: OddServer[] = [];
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.close()))));
const serve = async (...args: Parameters<typeof startOddServer>): Promise<OddServer> => {
  const server = await startOddServer(...args);
  servers.push(server);
  return server;
};

const interaction = (...codes: string[]) => codes.map((code) => ({ code }));
const names = (...all: string[]) => all.map((name) => ({ name, type: "token" }));
const r4 = {
  resourceType: "CapabilityStatement",
  fhirVersion: "4.0.1",
  software: { name: "Clinic", version: "7" },
  patchFormat: ["application/json-patch+json"],
  rest: [
    {
      mode: "server",
      interaction: interaction("transaction"),
      resource: [
        {
          type: "Patient",
          interaction: interaction("read", "patch"),
          searchParam: names("family"),
          operation: [{ name: "$match", definition: "http://hl7.org/fhir/OperationDefinition/Patient-match" }],
        },
        { type: "Appointment", interaction: interaction("create"), conditionalCreate: true },
      ],
    },
  ],
};
const stu3 = {
  resourceType: "CapabilityStatement",
  fhirVersion: "3.0.2",
  rest: [
    {
      mode: "server",
      operation: [
        { name: "find", definition: { reference: "OperationDefinition/Appointment-find" } },
        { name: "match", definition: { reference: "https://ehr.example/OperationDefinition/patient-match" } },
      ],
      resource: [
        { type: "Patient", interaction: interaction("read") },
        { type: "Appointment", interaction: interaction("read") },
        { type: "EligibilityRequest", interaction: interaction("create") },
        { type: "Coverage", interaction: interaction("search-type"), searchParam: names("beneficiary") },
      ],
    },
  ],
};
const dstu2 = {
  resourceType: "Conformance",
  fhirVersion: "1.0.2",
  rest: [
    {
      mode: "server",
      transactionMode: "both",
      resource: [
        { type: "MedicationOrder", interaction: interaction("search-type"), searchParam: names("datewritten", "patient", "prescriber") },
        { type: "Practitioner", interaction: interaction("read", "search-type", "create"), searchParam: names("name", "specialty") },
        { type: "Slot", interaction: interaction("search-type"), searchParam: names("fb-type", "start") },
      ],
    },
  ],
};

const statedBy = async (statement: object): Promise<CapabilitySummary> => {
  const headers = { "content-type": "application/json" };
  const text = JSON.stringify(statement);
  const stated = parseStatement({ status: 200, headers, url: "", text: () => text, json: () => JSON.parse(text) as unknown });
  if (!stated) throw new Error("That was no statement");
  // As it is kept: it has to survive being JSON.
  return JSON.parse(JSON.stringify(stated)) as CapabilitySummary;
};

describe("what a server can do", () => {
  it("is told by R4's names, whatever its version calls it", async () => {
    const four = toCapability(await statedBy(r4));
    expect([
      four.supports("Patient", "patch"),
      four.supports("Patient", "update"),
      four.operation("Patient", "match"),
      four.operation("Appointment", "match"),
    ]).toEqual([true, false, true, false]);
    expect([four.conditionalCreate("Appointment"), four.conditionalCreate("Patient"), four.transaction, four.software]).toEqual([
      true,
      false,
      true,
      "Clinic 7",
    ]);

    const three = toCapability(await statedBy(stu3));
    expect([three.operation("Appointment", "find"), three.operation("Patient", "match"), three.operation("Patient", "find")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([three.supports("CoverageEligibilityRequest", "create"), three.transaction]).toEqual([true, false]);
    expect(three.searchParams("Coverage")).toContain("patient");

    const two = toCapability(await statedBy(dstu2));
    expect(two.searchParams("MedicationRequest")).toEqual(expect.arrayContaining(["authoredon", "patient", "requester", "subject"]));
    expect(two.searchParams("Slot")).toContain("status");
    expect([
      two.supports("MedicationRequest", "search-type"),
      two.supports("PractitionerRole", "search-type"),
      two.supports("PractitionerRole", "create"),
      two.transaction,
    ]).toEqual([true, true, false, true]);
    expect(two.searchParams("PractitionerRole")).toEqual(expect.arrayContaining(["practitioner.name", "specialty"]));
  });

  it("leaves out a patch that is not JSON's", async () => {
    expect(toCapability(await statedBy({ ...r4, patchFormat: ["application/fhir+json"] })).supports("Patient", "patch")).toBe(false);
    expect(toCapability(await statedBy({ ...r4, patchFormat: undefined })).supports("Patient", "patch")).toBe(true);
  });

  it("is of a version that we speak, or of none", () => {
    expect(["4.0.1", "3.0.1", "1.0.2", "5.0.0", "4.3.0", "", undefined].map(parseFhirVersion)).toEqual([
      "R4",
      "STU3",
      "DSTU2",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is nothing for names that are everybody's", async () => {
    const { supports, searchParams, operation } = toCapability(await statedBy(r4));
    const odd = "constructor" as "Patient";
    expect([supports(odd, "read"), searchParams(odd), operation(odd, "name")]).toEqual([false, [], false]);
  });
});

describe("asking a server what it can do", () => {
  const asked: CapabilityStore["sharedCapability"] = (ask, options) => ask(options);
  const fixed = (baseUrl: string, fhirVersion: FhirVersion, sharedCapability = asked) =>
    createFhirClient(contextFor(), { baseUrl, fhirVersion, accessToken: async () => "a-token", sharedCapability });

  it("is left to whoever shares the answer, who may have it already", async () => {
    const server = await serve((_, response) => json(response, 200, r4));
    let shared: CapabilitySummary | undefined;
    const sharedCapability: CapabilityStore["sharedCapability"] = async (ask, options) => (shared ??= await ask(options));
    for (const _ of [1, 2]) await fixed(server.baseUrl, "R4", sharedCapability).capability();
    expect(server.asked).toHaveLength(1);
    const other = await serve((_, response) => json(response, 500, {}));
    const known = await fixed(other.baseUrl, "R4", async () => shared ?? statedBy(r4)).capability();
    expect([known.software, other.asked.length]).toEqual(["Clinic 7", 0]);
  });

  it("is tried again after a failure", async () => {
    let calls = 0;
    const server = await serve((_, response) => (calls++ === 0 ? json(response, 404, {}) : json(response, 200, dstu2)));
    expect(await codeOf(fixed(server.baseUrl, "DSTU2").capability())).toBe("ehr_not_found");
    expect((await fixed(server.baseUrl, "DSTU2").capability()).transaction).toBe(true);
    expect(server.asked[0]?.headers.accept).toBe("application/json+fhir");
  });
});
