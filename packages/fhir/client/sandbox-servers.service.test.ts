import type { Appointment, Communication, FhirResource, Patient, PractitionerRole, Slot } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, type FhirPlace, openSandbox, type SandboxSession } from "../fhir.fixture.ts";
import type { SearchParams } from "../versions/convert/search-rules.ts";
import type { FhirVersion } from "../versions/convert/version.ts";
import type { FhirClient, ResourceType } from "./types.ts";

/** Spelled out, since some servers accept no wildcard. */
const writes = ["Patient", "Appointment", "Communication"].map((type) => `system/${type}.crus`);
const reads = [
  "Slot",
  "Schedule",
  "Practitioner",
  "PractitionerRole",
  "Organization",
  "Location",
  "Condition",
  "AllergyIntolerance",
  "Observation",
]
  .concat("Medication", "MedicationRequest", "MedicationOrder", "MedicationDispense", "Coverage")
  .map((type) => `system/${type}.rs`);
const scopes = [...writes, ...reads].join(" ");

let ehr: SandboxSession;
let other: SandboxSession;
beforeAll(async () => {
  [ehr, other] = await Promise.all([openSandbox(scopes), openSandbox(scopes)]);
});
afterAll(() => Promise.all([ehr.close(), other.close()]));

type Personality = keyof SandboxSession["sandbox"]["servers"];
const placeOf = (fhirVersion: FhirVersion, personality: Personality = "plain", session = ehr): FhirPlace => {
  const addresses: Partial<Record<FhirVersion, { baseUrl: string }>> = session.sandbox.servers[personality];
  return { baseUrl: addresses[fhirVersion]?.baseUrl ?? "", fhirVersion };
};
const open = (fhirVersion: FhirVersion, personality?: Personality, session = ehr) =>
  session.open(20_000, placeOf(fhirVersion, personality, session));

const patient = "patient-1001";
const searches: [ResourceType, SearchParams, ...fields: string[]][] = [
  ["Patient", { _id: patient }, "name", "birthDate", "gender", "telecom", "address"],
  [
    "Condition",
    { patient, "clinical-status": "active", category: "problem-list-item" },
    "code",
    "clinicalStatus",
    "verificationStatus",
    "onsetDateTime",
  ],
  ["AllergyIntolerance", { patient, "clinical-status": "active" }, "code", "clinicalStatus", "criticality", "reaction", "recordedDate"],
  ["Observation", { patient, category: "vital-signs", _sort: "-date" }, "status", "category", "code", "effectiveDateTime", "component"],
  ["Observation", { patient, category: "laboratory" }, "code", "valueQuantity", "interpretation", "referenceRange"],
  [
    "MedicationRequest",
    { patient, status: "active", _include: "MedicationRequest:medication", _sort: "-authoredon" },
    "status",
    "intent",
    "subject",
    "authoredOn",
    "requester",
    "dosageInstruction",
    "medicationCodeableConcept",
    "medicationReference",
    "dispenseRequest",
  ],
  ["MedicationDispense", { patient }, "status", "subject", "authorizingPrescription", "whenHandedOver"],
  ["Coverage", { patient, status: "active" }, "status", "beneficiary", "subscriberId", "payor", "period"],
  ["Practitioner", { name: "a" }, "name", "telecom"],
  ["Location", {}, "name", "address", "status"],
  ["Organization", {}, "name", "type", "telecom"],
  ["Slot", { status: "free", start: "ge2020-01-01", _sort: "start", _count: "50" }, "status", "start", "end", "schedule", "serviceType"],
  ["Appointment", { patient, date: "ge2020-01-01" }, "status", "start", "end", "slot", "serviceType"],
  ["Communication", { patient }, "status", "subject", "sent", "payload", "sender"],
];
/** Included resources are compared by type and id. */
const picked = (resources: FhirResource[], fields: string[]) =>
  resources.map((resource) =>
    Object.fromEntries(
      Object.entries(resource).filter(([field]) =>
        (resource.resourceType === "Medication" ? ["id", "resourceType", "code"] : [...fields, "id", "resourceType"]).includes(field),
      ),
    ),
  );

describe.each(["R4", "STU3", "DSTU2"] as const)("a %s server", (fhirVersion) => {
  it.each(searches)("answers a search of %s for %j like an R4 server", async (type, params, ...fields) => {
    const [native, wanted] = [
      await open(fhirVersion).search(type, params, { maxResources: 20 }),
      await open("R4").search(type, params, { maxResources: 20 }),
    ];
    expect(wanted.length).toBeGreaterThan(0);
    expect(picked(native, fields)).toEqual(picked(wanted, fields));
  });

  it("states its capability in R4 names", async () => {
    const capability = await open(fhirVersion).capability();
    expect(
      ["MedicationRequest", "PractitionerRole", "Coverage"].every((type) => capability.supports(type as ResourceType, "search-type")),
    ).toBe(true);
    expect(capability.searchParams("Condition")).toContain("clinical-status");
    expect(capability.searchParams("Slot")).toContain("status");
    expect([capability.supports("Appointment", "create"), capability.supports("Slot", "create"), capability.transaction]).toEqual([
      true,
      false,
      true,
    ]);
    expect(capability.supports("PractitionerRole", "create")).toBe(false);
  });

  it("is read for one resource, which another server does not have", async () => {
    const [mine, theirs] = [open(fhirVersion), open(fhirVersion, "plain", other)];
    const created = await mine.create<Patient>({
      resourceType: "Patient",
      name: [{ family: `de la ${fhirVersion}`, given: ["Ann"] }],
      birthDate: "1990-01-02",
      telecom: [{ system: "phone", value: "+16175550101" }],
    });
    const read = await mine.read<Patient>("Patient", created.id ?? "");
    expect(read).toMatchObject({ name: [{ family: `de la ${fhirVersion}`, given: ["Ann"] }], birthDate: "1990-01-02" });
    expect(await codeOf(theirs.read("Patient", created.id ?? ""))).toBe("ehr_not_found");
    const found = await mine.search<Patient>("Patient", { family: `de la ${fhirVersion}`, birthdate: "1990-01-02" });
    expect(found.map(({ id }) => id)).toEqual([created.id]);
  });

  it("changes a resource while its version is current, and not after", async () => {
    const client = open(fhirVersion);
    const before = await client.create<Patient>({
      resourceType: "Patient",
      name: [{ family: "Changeling", given: ["Bo"] }],
      telecom: [{ system: "phone", value: "+16175550102" }],
    });
    const after = { ...before, telecom: [{ system: "phone", value: "+16175550103" } as const] };
    const changed = await client.change(before, after);
    expect(changed.telecom?.[0]?.value).toBe("+16175550103");
    expect((await client.read<Patient>("Patient", before.id ?? "")).telecom).toMatchObject([{ value: "+16175550103" }]);
    expect(await codeOf(client.change(before, { ...before, gender: "other" }))).toBe("ehr_conflict");
    expect(await client.change(changed, changed)).toBe(changed);
  });

  it("books a slot once, and cancels it", async () => {
    const client = open(fhirVersion);
    const [slot] = await client.search<Slot>(
      "Slot",
      { status: "free", start: `ge${new Date(Date.now() + 86_400_000).toISOString()}`, _sort: "start" },
      { maxResources: 1 },
    );
    const booking: Appointment = {
      resourceType: "Appointment",
      status: "booked",
      slot: [{ reference: `Slot/${slot?.id}` }],
      participant: [{ actor: { reference: `Patient/${patient}` }, status: "accepted" }],
      reasonCode: [{ text: "Cough" }],
    };
    const booked = await client.create(booking);
    expect([booked.start, booked.reasonCode?.[0]?.text, (await client.read<Slot>("Slot", slot?.id ?? "")).status]).toEqual([
      slot?.start,
      "Cough",
      "busy",
    ]);
    expect(await codeOf(client.create(booking))).toBe("ehr_conflict");
    const cancelled = await client.change(booked, { ...booked, status: "cancelled" });
    expect([cancelled.status, (await client.read<Slot>("Slot", slot?.id ?? "")).status]).toEqual(["cancelled", "free"]);
  });

  it("runs a transaction completely or not at all", async () => {
    const client = open(fhirVersion);
    const one = { resourceType: "Patient", name: [{ family: `Oneness${fhirVersion}`, given: ["Cy"] }], birthDate: "1991-02-03" } as const;
    const [before] = await client.transaction([{ create: structuredClone(one) as unknown as Patient }]);
    expect(before).toMatchObject({ resourceType: "Patient", name: [{ family: `Oneness${fhirVersion}` }] });
    const stale = { update: { ...before, gender: "other" } as Patient, ifMatch: 'W/"999"' };
    expect(await codeOf(client.transaction([{ create: structuredClone(one) as unknown as Patient }, stale]))).toBe("ehr_conflict");
    expect(await client.search("Patient", { family: `Oneness${fhirVersion}`, birthdate: "1991-02-03" })).toHaveLength(1);
  });

  it("accepts a message to the clinic, with its topic", async () => {
    const message: Communication = {
      resourceType: "Communication",
      status: "completed",
      category: [{ text: "refill_request" }],
      topic: { text: "Metformin" },
      subject: { reference: `Patient/${patient}` },
      sent: "2026-01-02T10:00:00Z",
      payload: [{ contentString: "Please call back." }],
      identifier: [{ system: "urn:vitaline:tool-request", value: `at-${fhirVersion}` }],
    };
    const client = open(fhirVersion);
    const stored = await client.create(message);
    expect(await client.read<Communication>("Communication", stored.id ?? "")).toMatchObject({
      status: "completed",
      category: [{ text: "refill_request" }],
      payload: [{ contentString: "Please call back." }],
    });
    const again = await client.search<Communication>("Communication", { identifier: `urn:vitaline:tool-request|at-${fhirVersion}` });
    expect(again.map(({ id }) => id)).toEqual([stored.id]);
  });

  it("returns practitioners' roles, each with its practitioner, and a found role can be read", async () => {
    const client = open(fhirVersion);
    const found = await client.search<FhirResource>("PractitionerRole", {
      "practitioner.name": "a",
      _include: "PractitionerRole:practitioner",
    });
    const roles = found.filter((one): one is PractitionerRole => one.resourceType === "PractitionerRole");
    expect(roles.length).toBeGreaterThan(0);
    for (const role of roles) {
      expect(found.map((one) => `${one.resourceType}/${one.id}`)).toContain(role.practitioner?.reference);
      expect((await client.read<PractitionerRole>("PractitionerRole", role.id ?? "")).specialty).toEqual(role.specialty);
    }
  });

  it("gets no patient data in URLs or logs", async () => {
    const client = open(fhirVersion);
    await client.search("Patient", { family: "Plantedname" });
    await client.search("MedicationRequest", { patient: "plantedid" });
    expect(JSON.stringify(client.context.logged)).not.toMatch(/Planted|planted/);
    const operations = client.context.logged.map(({ operation }) => String(operation));
    // The first client of a server also asks for its token.
    expect(operations.filter((one) => one.startsWith("search"))).toEqual(["search Patient", "search MedicationRequest"]);
  });
});

const changeTelecom = async (client: FhirClient) => {
  const before = await client.read<Patient>("Patient", patient);
  return client.change(before, {
    ...before,
    telecom: (before.telecom ?? []).map((one, index) => (index === 0 ? { ...one, value: "+16175550177" } : one)),
  });
};

describe("a vendor's server", () => {
  it("cerner-like: a change is a patch of the version read, its response is empty, a stale one is refused", async () => {
    const client = open("R4", "cerner-like");
    const before = await client.read<Patient>("Patient", patient);
    expect((await changeTelecom(client)).telecom?.[0]?.value).toBe("+16175550177");
    expect(await codeOf(client.change(before, { ...before, gender: "other" }))).toBe("ehr_conflict");
    expect(client.context.logged.map(({ operation }) => operation)).toContain("patch Patient");
  });

  it("epic-like: a change is unsupported, and nothing is sent", async () => {
    const client = open("R4", "epic-like");
    expect(await codeOf(changeTelecom(client))).toBe("ehr_unsupported");
    expect(client.context.logged.some(({ operation }) => /patch|update/.test(String(operation)))).toBe(false);
  });

  it("epic-like: appointments are found and booked in STU3", async () => {
    const client = open("STU3", "epic-like");
    const { operation } = await client.capability();
    expect([operation("Appointment", "find"), operation("Appointment", "book"), operation("Patient", "match")]).toEqual([true, true, true]);
    const [start, end] = [1, 14].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    const found = await client.operation<FhirResource>("Appointment", "find", {
      resourceType: "Parameters",
      parameter: [
        { name: "patient", valueReference: { reference: `Patient/${patient}` } },
        { name: "startTime", valueDateTime: start },
        { name: "endTime", valueDateTime: end },
      ],
    });
    const proposed = found.filter((one): one is Appointment => one.resourceType === "Appointment");
    expect(proposed[0]).toMatchObject({ status: "proposed" });
  });

  it("epic-like: a search without results is empty, although the server reports it as an outcome", async () => {
    const client = open("R4", "epic-like");
    expect(await client.search("Patient", { family: "Nobodyatall", given: "No", birthdate: "1901-01-01" })).toEqual([]);
  });

  it("readonly: reports unsupported operations", async () => {
    const { supports } = await open("R4", "readonly").capability();
    expect([supports("Patient", "read"), supports("Patient", "create"), supports("Slot", "search-type")]).toEqual([true, false, false]);
  });
});
