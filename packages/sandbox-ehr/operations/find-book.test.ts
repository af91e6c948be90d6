import type { Appointment, Bundle, Schedule } from "fhir/r4.js";
import { describe, expect, it } from "vitest";
import { answer, callOf, openClinic, resourcesIn } from "../clinic.fixture.ts";
import { book, find } from "./find-book.ts";

async function openDesk() {
  const clinic = await openClinic();
  const asked = (parameter: object[]) => callOf({ resourceType: "Parameters", parameter });
  const week = [
    { name: "startTime", valueDateTime: "2026-11-24T00:00:00-05:00" },
    { name: "endTime", valueDateTime: "2026-12-01T00:00:00-05:00" },
  ];
  const patient = (id: string) => ({ name: "patient", valueReference: { reference: `Patient/${id}` } });
  return {
    ...clinic,
    find: (more: object[] = [], who = "patient-1001") => answer<Bundle>(() => find(clinic.server, asked([patient(who), ...week, ...more]))),
    findWith: (parameter: object[]) => answer<Bundle>(() => find(clinic.server, asked(parameter))),
    book: (id: string, who = "patient-1001", more: object[] = []) =>
      answer<Bundle<Appointment>>(() =>
        book(clinic.server, asked([patient(who), { name: "appointment", valueReference: { reference: `Appointment/${id}` } }, ...more])),
      ),
  };
}
const cardiology = {
  name: "serviceType",
  valueCodeableConcept: { coding: [{ system: "https://sandbox-ehr.example/service-type", code: "cardiology" }] },
};

describe("Appointment/$find", () => {
  it("proposes free times in order, with where and with whom", async () => {
    const { find } = await openDesk();
    const { status, body } = await find([cardiology]);
    expect(status).toBe(200);
    const proposed = resourcesIn<Appointment>(body);
    expect(proposed).toHaveLength(body.total!);
    expect(proposed.every(({ status: state, id }) => state === "proposed" && id!.length <= 64)).toBe(true);
    const starts = proposed.map(({ start }) => Date.parse(start!));
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(resourcesIn<Schedule>(body, "include").map(({ resourceType }) => resourceType)).toEqual([
      ...proposed.map(() => "Slot"),
      "Schedule",
      "Practitioner",
      "Location",
    ]);
  });

  it("keeps to the practitioner and the place that are asked for", async () => {
    const { find } = await openDesk();
    const reference = (name: string, to: string) => ({ name, valueReference: { reference: to } });
    const of = async (...more: object[]) => resourcesIn<Appointment>((await find(more)).body);
    const theirs = await of(
      reference("practitioner", "Practitioner/practitioner-2"),
      reference("location-reference", "Location/location-north"),
    );
    expect(theirs.length).toBeGreaterThan(10);
    expect(theirs.every(({ participant }) => participant[1]!.actor!.reference === "Practitioner/practitioner-2")).toBe(true);
    expect(
      await of(reference("practitioner", "Practitioner/practitioner-2"), reference("location-reference", "Location/location-main")),
    ).toEqual([]);
  });

  it("accepts a patient resource, and refuses unknown patients, closed charts and half an interval", async () => {
    const { find, findWith, read } = await openDesk();
    const times = ["startTime", "endTime"].map((name, index) => ({ name, valueDateTime: `2026-11-2${4 + index}` }));
    expect((await findWith([{ name: "patient", resource: read("Patient", "patient-1002") }, ...times])).status).toBe(200);
    expect((await findWith([times[0]!, { name: "patient", valueReference: { reference: "Patient/patient-1001" } }])).status).toBe(400);
    for (const closed of ["patient-1198", "patient-1199", "patient-1200", "unknown"]) expect((await find([], closed)).status).toBe(422);
    expect((await find([{ name: "shoe", valueString: "42" }])).status).toBe(400);
  });
});

describe("Appointment/$book", () => {
  it("books a proposal with its note and takes the slot", async () => {
    const { find, book, read } = await openDesk();
    const [proposal] = resourcesIn<Appointment>((await find([cardiology])).body);
    const { status, body } = await book(proposal!.id!, "patient-1001", [{ name: "appointmentNote", valueString: "Uses a wheelchair" }]);
    expect(status).toBe(200);
    const [booked] = resourcesIn<Appointment>(body);
    expect(booked).toMatchObject({ status: "booked", start: proposal!.start, comment: "Uses a wheelchair" });
    expect(read("Appointment", booked!.id!)).toEqual(booked);
    expect(read("Slot", proposal!.slot![0]!.reference!.slice(5)).status).toBe("busy");
    expect(resourcesIn<Appointment>((await find([cardiology])).body).map(({ id }) => id)).not.toContain(proposal!.id);
    expect((await book(proposal!.id!, "patient-1002")).status).toBe(409);
  });

  it("books a proposal for one of three concurrent requests", async () => {
    const { find, book, search } = await openDesk();
    const [proposal] = resourcesIn<Appointment>((await find()).body);
    const answers = await Promise.all([1001, 1002, 1003].map((number) => book(proposal!.id!, `patient-${number}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(search("Appointment", `slot=${proposal!.slot![0]!.reference!}`).total).toBe(1);
  });

  it("refuses an unknown proposal, and closed charts", async () => {
    const { book, freeSlot } = await openDesk();
    for (const id of ["proposal-nothing", freeSlot().id, "proposal-"]) expect((await book(id)).status).toBe(422);
    expect((await book(`proposal-${freeSlot().id}`, "patient-1199")).status).toBe(422);
  });
});
