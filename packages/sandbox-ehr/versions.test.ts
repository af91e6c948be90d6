import type * as r2 from "fhir/r2.js";
import type * as r3 from "fhir/r3.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookingOf, openSession } from "./auth/session.fixture.ts";

type Found<T> = { body: { total: number; entry: { resource: T; fullUrl: string }[] } };

let session: Awaited<ReturnType<typeof openSession>>;
let stu3: ReturnType<typeof session.at>;
let dstu2: ReturnType<typeof session.at>;
beforeAll(async () => {
  session = await openSession();
  stu3 = session.at(session.sandbox.stu3);
  dstu2 = session.at(session.sandbox.dstu2, { type: "application/json+fhir" });
});
afterAll(() => session.close());

const resources = async <T>(call: typeof stu3, path: string): Promise<T[]> => {
  const { status, body } = (await call("GET", path)) as Found<T> & { status: number };
  expect([path, status]).toEqual([path, 200]);
  return body.entry.map(({ resource }) => resource);
};
const patient = "patient=patient-1001";

describe("every server", () => {
  it("answers each search, sort and inclusion that its capability statement names, and no others", async () => {
    const values: Record<string, string> = { date: "ge2020-01-01", reference: "Patient/patient-1001", string: "a", token: "a" };
    for (const call of [stu3, dstu2]) {
      const { body } = await call("GET", "/metadata");
      for (const { type, searchParam = [], searchInclude = [] } of body.rest[0].resource) {
        for (const { name, type: kind } of searchParam)
          expect((await call("GET", `/${type}?${name}=${values[kind]}&_count=1`)).status, `${type}?${name}`).toBe(200);
        for (const include of searchInclude) expect((await call("GET", `/${type}?_count=1&_include=${include}`)).status, include).toBe(200);
        expect((await call("GET", `/${type}?shoe-size=42`)).status, type).toBe(400);
      }
    }
  });

  it("describes itself in its own version's terms", async () => {
    const [three, two] = [await stu3("GET", "/metadata"), await dstu2("GET", "/metadata")];
    expect([three.body.resourceType, three.body.fhirVersion, three.headers.get("content-type")]).toEqual([
      "CapabilityStatement",
      "3.0.2",
      "application/fhir+json; charset=utf-8",
    ]);
    expect([two.body.resourceType, two.body.fhirVersion, two.headers.get("content-type")]).toEqual([
      "Conformance",
      "1.0.2",
      "application/json+fhir; charset=utf-8",
    ]);
    const types = (body: { rest: { resource: { type: string }[] }[] }) => body.rest[0]!.resource.map(({ type }) => type);
    expect(types(three.body)).toEqual(expect.arrayContaining(["MedicationRequest", "EligibilityRequest", "PractitionerRole"]));
    expect(types(two.body)).toEqual(expect.arrayContaining(["MedicationOrder", "MedicationStatement", "Coverage"]));
    for (const absent of ["MedicationRequest", "PractitionerRole", "EligibilityRequest"]) expect(types(two.body)).not.toContain(absent);
  });
});

describe("STU3", () => {
  it("tells clinical states as codes and prescriptions by who asked for them", async () => {
    const [condition] = await resources<r3.Condition>(stu3, `/Condition?${patient}&clinical-status=active`);
    expect(condition).toMatchObject({ clinicalStatus: "active", subject: { reference: "Patient/patient-1001" } });
    expect(JSON.stringify(condition)).not.toContain("terminology.hl7.org");
    for (const one of await resources<r3.MedicationRequest>(stu3, `/MedicationRequest?${patient}&_sort=-authoredon`)) {
      expect(one.requester?.agent.reference).toMatch(/^Practitioner\//);
      expect(one.intent).toBe("order");
    }
    for (const one of await resources<r3.MedicationStatement>(stu3, `/MedicationStatement?${patient}`))
      expect(one.taken).toMatch(/^(y|n|unk)$/);
  });

  it("answers an eligibility request in STU3's own resources", async () => {
    const [covered] = await resources<r3.Coverage>(stu3, "/Coverage?beneficiary=patient-1001");
    const { status, body } = await stu3("POST", "/EligibilityRequest", {
      resourceType: "EligibilityRequest",
      status: "active",
      patient: { reference: "Patient/patient-1001" },
      created: "2026-01-02",
      insurer: covered?.payor && (covered.payor as r3.Reference[])[0],
      coverage: { reference: `Coverage/${covered?.id}` },
    });
    expect([status, body.resourceType]).toEqual([201, "EligibilityRequest"]);
    const [answer] = await resources<r3.EligibilityResponse>(stu3, `/EligibilityResponse?request=EligibilityRequest/${body.id}`);
    expect(answer).toMatchObject({ request: { reference: `EligibilityRequest/${body.id}` }, outcome: { coding: [{ code: "complete" }] } });
    expect(answer?.insurance?.[0]?.coverage?.reference).toBe(`Coverage/${covered?.id}`);
  });

  it("books a slot that is then busy at every version", async () => {
    const [slot] = await resources<r3.Slot>(
      stu3,
      `/Slot?status=free&start=ge${new Date(Date.now() + 86_400_000).toISOString()}&_sort=start&_count=1`,
    );
    const { status, body } = await stu3("POST", "/Appointment", bookingOf(slot!.id!));
    expect([status, body.status]).toEqual([201, "booked"]);
    expect((await dstu2("GET", `/Slot/${slot!.id}`)).body.freeBusyType).toBe("busy");
    expect((await session.call("GET", `/Appointment/${body.id}`)).body.status).toBe("booked");
  });

  it.each([
    ["R4's reason", { reasonCode: [{ text: "A cough" }] }],
    ["R4's cancellation reason", { cancelationReason: { text: "Weather" } }],
    ["R4's state of a checked-in patient", { status: "checked-in" }],
    [
      "a reference that names a type",
      { participant: [{ actor: { reference: "Patient/patient-1001", type: "Patient" }, status: "accepted" }] },
    ],
  ])("does not take %s", async (_, elements) => {
    const slot = await session.freeSlot();
    expect((await stu3("POST", "/Appointment", { ...bookingOf(slot.id), ...elements })).status).toBeGreaterThanOrEqual(400);
  });

  it.each(["/Slot?service-type=cardiology", "/Appointment?slot=x", "/Coverage?patient=patient-1001", "/Condition?recorded-date=2020"])(
    "does not know R4's %s",
    async (path) => expect((await stu3("GET", path)).status).toBe(400),
  );
});

describe("DSTU2", () => {
  it("lists family names, names one status of a slot, and tells roles within the practitioner", async () => {
    const { body } = await dstu2("GET", "/Patient/patient-1001");
    expect(body.name[0].family).toEqual([session.sandbox.patients[0]?.family]);
    const [slot] = await resources<r2.Slot>(dstu2, "/Slot?fb-type=free&slot-type=cardiology&_count=1");
    expect(slot?.freeBusyType).toBe("free");
    const found = await resources<r2.Practitioner>(dstu2, "/Practitioner?specialty=394579002");
    expect(found.map(({ practitionerRole }) => practitionerRole?.[0]?.specialty?.[0]?.text)).toContain("Cardiology");
    expect(await resources(dstu2, "/Practitioner?specialty=none-such")).toEqual([]);
  });

  it("tells clinical resources by patient, prescriptions as orders and allergies by one status", async () => {
    for (const one of await resources<r2.Condition>(dstu2, `/Condition?${patient}&clinicalstatus=active`)) {
      expect(one.patient.reference).toBe("Patient/patient-1001");
      expect(one.clinicalStatus).toBe("active");
      expect(one.category?.coding?.[0]?.code).toBe("diagnosis");
    }
    for (const one of await resources<r2.AllergyIntolerance>(dstu2, `/AllergyIntolerance?${patient}&status=active`)) {
      expect(one.status).toBe("active");
      expect([undefined, "CRITL", "CRITH", "CRITU"]).toContain(one.criticality);
    }
    const orders = await resources<r2.MedicationOrder>(dstu2, `/MedicationOrder?${patient}&_sort:desc=datewritten`);
    expect(orders.map(({ resourceType }) => resourceType)).toEqual(orders.map(() => "MedicationOrder"));
    expect(orders.every(({ prescriber }) => prescriber?.reference?.startsWith("Practitioner/"))).toBe(true);
    const written = orders.map(({ dateWritten = "" }) => dateWritten);
    expect(written).toEqual(written.toSorted().toReversed());
    const { body } = (await dstu2("GET", `/MedicationOrder?${patient}&_count=1`)) as Found<r2.MedicationOrder>;
    expect(body.entry[0]?.fullUrl).toContain("/dstu2/MedicationOrder/");
    const [covered] = await resources<r2.Coverage>(dstu2, `/Coverage?${patient}`);
    expect(covered).toMatchObject({
      subscriber: { reference: "Patient/patient-1001" },
      issuer: { reference: expect.stringMatching(/^Organization\//) },
    });
  });

  it("keeps a patient whole through an update", async () => {
    const { body, headers } = await dstu2("GET", "/Patient/patient-1002");
    const changed = { ...body, telecom: [{ system: "phone", use: "home", value: "+1 617 555 0142" }] };
    const { status, body: stored } = await dstu2("PUT", "/Patient/patient-1002", changed, { "If-Match": headers.get("etag")! });
    expect([status, stored.name]).toEqual([200, body.name]);
    expect((await session.call("GET", "/Patient/patient-1002")).body).toMatchObject({
      name: [{ family: body.name[0].family[0] }],
      telecom: [{ value: "+1 617 555 0142" }],
    });
  });

  it("takes both names of its media type", async () => {
    const message = {
      resourceType: "Communication",
      status: "completed",
      subject: { reference: "Patient/patient-1001" },
      payload: [{ contentString: "x" }],
    };
    for (const type of ["application/json+fhir", "application/fhir+json"])
      expect((await dstu2("POST", "/Communication", message, { "Content-Type": type })).status).toBe(201);
    expect((await dstu2("POST", "/Communication", message, { "Content-Type": "text/plain" })).status).toBe(415);
  });

  it.each([
    ["a family name of R4", "Patient", { name: [{ family: "Smith", given: ["Ann"] }] }],
    [
      "R4's general practitioner",
      "Patient",
      { name: [{ family: ["Smith"] }], generalPractitioner: [{ reference: "Practitioner/practitioner-1" }] },
    ],
    ["R4's service type", "Appointment", { ...bookingOf("slot"), serviceType: [{ text: "Visit" }] }],
    ["R4's status of a slot", "Slot", { id: "slot", status: "free", schedule: { reference: "Schedule/x" }, start: "x", end: "y" }],
    ["R4's categories", "Communication", { status: "completed", category: [{ text: "Refill" }] }],
    ["R4's code of a state", "Communication", { status: "not-done", payload: [{ contentString: "x" }] }],
  ])("does not take %s", async (_, resourceType, elements) => {
    const [method, path] = resourceType === "Slot" ? ["PUT", "/Slot/slot"] : ["POST", `/${resourceType}`];
    const { status, body } = await dstu2(method!, path!, { ...elements, resourceType });
    expect([400, 422]).toContain(status);
    expect(body.resourceType).toBe("OperationOutcome");
  });

  it.each([
    "/Slot?status=free",
    "/Condition?clinical-status=active",
    "/Condition?subject=patient-1001",
    "/AllergyIntolerance?clinical-status=active",
    "/MedicationOrder?authoredon=2020",
    "/Observation?_sort=-date",
    "/Practitioner?_include=PractitionerRole:practitioner",
  ])("does not know R4's %s", async (path) => expect((await dstu2("GET", path)).status).toBe(400));

  it.each(["/MedicationRequest", "/PractitionerRole", "/CoverageEligibilityRequest", "/EligibilityRequest"])("has no %s", async (path) =>
    expect((await dstu2("GET", path)).status).toBe(404),
  );
});

it("a transaction and its answer use their version's format", async () => {
  for (const [call, family] of [
    [stu3, "Larch"],
    [dstu2, ["Larch"]],
  ] as const) {
    const { status, body } = await call("POST", "", {
      resourceType: "Bundle",
      type: "transaction",
      entry: [
        {
          fullUrl: "urn:uuid:0d7b5f0e-0000-4000-8000-000000000001",
          resource: { resourceType: "Patient", name: [{ family, given: ["Ann"] }] },
          request: { method: "POST", url: "Patient", ifNoneExist: "identifier=urn:test|none" },
        },
      ],
    });
    expect([status, body.entry[0].response.status]).toEqual([200, "201 Created"]);
    expect(body.entry[0].resource.name[0].family).toEqual(family);
  }
});
