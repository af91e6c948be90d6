import type { Bundle, CapabilityStatement, Schedule, Slot } from "fhir/r4.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookingOf, openSession } from "./auth/session.fixture.ts";

describe("the FHIR R4 API", () => {
  let session: Awaited<ReturnType<typeof openSession>>;
  beforeAll(async () => void (session = await openSession()));
  afterAll(() => session.close());

  const ids = (bundle: Bundle) => bundle.entry!.map(({ resource }) => resource!.id!);

  it("finds a patient by each identifying parameter", async () => {
    const [patient] = session.sandbox.patients;
    const { given, family, birthDate, phone, zip, mrn, id } = patient!;
    const forms: Record<string, string>[] = [
      { family, given, birthdate: birthDate },
      { name: family.slice(0, 6).toUpperCase(), birthdate: birthDate },
      { phone },
      { identifier: `https://sandbox-ehr.example/mrn|${mrn}` },
      { identifier: mrn },
      { "address-postalcode": zip, family },
      { email: `${given}.${family}@EXAMPLE.com` },
      { _id: id },
    ];
    for (const form of forms) {
      const { status, body } = await session.call("POST", "/Patient/_search", new URLSearchParams(form));
      expect(status).toBe(200);
      expect(ids(body)).toContain(id);
    }
  });

  it("finds no patient when one value is wrong, and refuses unknown parameters", async () => {
    const { family } = session.sandbox.patients[0]!;
    expect((await session.call("GET", `/Patient?family=${family}&birthdate=1901-01-01`)).body.total).toBe(0);
    expect(await session.call("GET", "/Patient?shoe-size=42")).toMatchObject({ status: 400, body: { resourceType: "OperationOutcome" } });
  });

  it("pages through a search by links that carry no search values", async () => {
    const seen = new Set<string>();
    let path: string | undefined = "/Patient?_count=90&family=";
    for (let pages = 0; path && pages < 9; pages++) {
      const { body } = (await session.call("GET", path)) as { body: Bundle };
      for (const id of ids(body)) seen.add(id);
      const next: string | undefined = body.link!.find(({ relation }) => relation === "next")?.url;
      path = next?.slice(session.sandbox.r4.baseUrl.length);
      if (path) expect(path).toMatch(/^\/Patient\?_page=[0-9a-f-]+$/);
    }
    expect(seen.size).toBe(200);
  });

  it("lists free slots between two moments in order, with their schedule", async () => {
    const from = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const to = new Date(Date.now() + 9 * 86_400_000).toISOString();
    const { body }: { body: Bundle<Slot | Schedule> } = await session.call(
      "GET",
      `/Slot?status=free&start=ge${from}&start=lt${to}&service-type=cardiology&_sort=start&_count=200&_include=Slot:schedule`,
    );
    const slots = body.entry!.flatMap(({ resource }) => (resource?.resourceType === "Slot" ? [resource] : []));
    const starts = slots.map(({ start }) => Date.parse(start));
    expect(slots.length).toBeGreaterThan(20);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(starts.every((start) => start >= Date.parse(from) && start < Date.parse(to))).toBe(true);
    const schedules = body.entry!.flatMap(({ resource, search }) =>
      resource?.resourceType === "Schedule" && search?.mode === "include" ? [resource] : [],
    );
    expect(schedules.map(({ actor }) => actor[0]?.display)).toEqual(["Dr. Esther Marlstead"]);
  });

  it("answers every search its capability statement names", async () => {
    const { body }: { body: CapabilityStatement } = await session.call("GET", "/metadata");
    const values: Record<string, string> = { date: "ge2020-01-01", reference: "Patient/patient-1001", string: "a", token: "a" };
    for (const { type, searchParam, searchInclude } of body.rest![0]!.resource!) {
      for (const { name, type: kind } of searchParam!)
        expect((await session.call("GET", `/${type}?${name}=${values[kind]}`)).status, `${type}?${name}`).toBe(200);
      for (const include of searchInclude!)
        expect((await session.call("GET", `/${type}?_count=1&_include=${include}`)).status, include).toBe(200);
    }
  });

  it("gives a slot to one of three who book it at once", async () => {
    const slot = await session.freeSlot();
    const answers = await Promise.all(
      [1001, 1002, 1003].map((id) => session.call("POST", "/Appointment", bookingOf(slot.id, `patient-${id}`))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await session.call("GET", `/Slot/${slot.id}`)).body.status).toBe("busy");
    const booked = answers.find(({ status }) => status === 201)!;
    expect(booked.headers.get("location")).toMatch(new RegExp(`/Appointment/${booked.body.id}/_history/1$`));
    expect(booked.body).toMatchObject({ start: slot.start, end: slot.end });
    expect(booked.body.participant).toHaveLength(3);
  });

  it("frees the slot of a cancelled appointment, and only for the latest version", async () => {
    const slot = await session.freeSlot();
    const { body: booked, headers } = await session.call("POST", "/Appointment", bookingOf(slot.id));
    const etag = headers.get("etag")!;
    const cancelled = { ...booked, status: "cancelled" };
    expect((await session.call("PUT", `/Appointment/${booked.id}`, cancelled, { "If-Match": 'W/"9"' })).status).toBe(412);
    expect((await session.call("PUT", `/Appointment/${booked.id}`, cancelled, { "If-Match": etag })).status).toBe(200);
    expect((await session.call("GET", `/Slot/${slot.id}`)).body.status).toBe("free");
    expect((await session.call("PUT", `/Appointment/${booked.id}`, cancelled, { "If-Match": etag })).status).toBe(412);
  });

  it("moves an appointment to another slot in one update", async () => {
    const from = await session.freeSlot();
    const { body: booked } = await session.call("POST", "/Appointment", bookingOf(from.id));
    const to = await session.freeSlot();
    const { body: moved, status } = await session.call("PUT", `/Appointment/${booked.id}`, {
      ...booked,
      slot: [{ reference: `Slot/${to.id}` }],
    });
    expect(status).toBe(200);
    expect(moved.start).toBe(to.start);
    expect((await session.call("GET", `/Slot/${from.id}`)).body.status).toBe("free");
    expect((await session.call("GET", `/Slot/${to.id}`)).body.status).toBe("busy");
  });

  it("creates once per If-None-Exist and sends no body for return=minimal", async () => {
    const slot = await session.freeSlot();
    const booking = { ...bookingOf(slot.id), identifier: [{ system: "urn:test", value: "once" }] };
    const headers = { "If-None-Exist": "identifier=urn:test|once", Prefer: "return=minimal" };
    const first = await session.call("POST", "/Appointment", booking, headers);
    const second = await session.call("POST", "/Appointment", booking, headers);
    expect([first.status, first.body, second.status]).toEqual([201, "", 200]);
    expect((await session.call("GET", "/Appointment?identifier=urn:test|once")).body.total).toBe(1);
  });

  it("refuses unsupported requests with an OperationOutcome", async () => {
    const cases: [string, string, object | undefined, number][] = [
      ["GET", "/Patient/unknown", undefined, 404],
      ["GET", "/Encounter", undefined, 404],
      ["POST", "/Slot", { resourceType: "Slot" }, 405],
      ["DELETE", "/Patient/patient-1001", undefined, 405],
      ["POST", "/Appointment", { resourceType: "Patient" }, 400],
      ["POST", "/Appointment", bookingOf("no-such-slot"), 422],
      ["POST", "/Appointment", { ...bookingOf((await session.freeSlot()).id), identifier: [] }, 400],
      ["POST", "/Appointment", { ...bookingOf((await session.freeSlot()).id), reasonCode: [{ text: "A cough", coding: [] }] }, 400],
      ["POST", "/Appointment", bookingOf((await session.freeSlot()).id, "patient-1200"), 422],
    ];
    for (const [method, path, body, status] of cases) {
      expect(await session.call(method, path, body), `${method} ${path}`).toMatchObject({
        status,
        body: { resourceType: "OperationOutcome" },
      });
    }
  });

  it("shows a page that describes it", async () => {
    const text = await (await fetch(session.sandbox.origin)).text();
    expect(text).toContain(session.sandbox.r4.baseUrl);
    expect(text).toContain(session.sandbox.patients[0]!.mrn);
  });
});
