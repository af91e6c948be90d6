import { AppError } from "@vitaline/core";
import type { Ehr } from "@vitaline/fhir-providers";
import type { Appointment, Reference } from "fhir/r4.js";
import { expect, test } from "vitest";
import { placeOf } from "./appointment-visit.ts";

const north = { reference: "Location/north", display: "Mockford North" };
const visitAt = (actor?: Reference, change: Partial<Appointment> = {}): Appointment => ({
  resourceType: "Appointment",
  status: "booked",
  participant: [{ status: "accepted", actor: { reference: "Patient/p1" } }, ...(actor ? [{ status: "accepted" as const, actor }] : [])],
  ...change,
});
/** `reads`: how often the place was read. */
async function told(
  visit: Appointment,
  { isNamed = true, name = async () => "South" } = {},
): Promise<{ place: string | undefined; reads: number }> {
  let reads = 0;
  const read = async () => (reads++, { resourceType: "Location", name: await name() });
  const openPlaces = async () => ({ read }) as unknown as Ehr;
  return { place: await placeOf(visit, { tenant: { name: "Sampleton Health" }, isNamed, openPlaces }), reads };
}

test("a place is told as the appointment names it, and is read only where the appointment refers to it without a name", async () => {
  expect(await told(visitAt(north))).toEqual({ place: "Mockford North", reads: 0 });
  expect(await told(visitAt({ reference: "Location/south" }))).toEqual({ place: "South", reads: 1 });
  expect(await told(visitAt())).toEqual({ place: undefined, reads: 0 });
});

test("the organization is named where the place is not known, or could tell what the visit is for", async () => {
  const refused = async () => {
    throw new AppError("ehr_forbidden", "injected");
  };
  expect(await told(visitAt({ reference: "Location/south" }), { name: refused })).toEqual({ place: "Sampleton Health", reads: 1 });
  expect(await told(visitAt(north), { isNamed: false })).toEqual({ place: "Sampleton Health", reads: 0 });
  const confidential = visitAt(north, { meta: { security: [{ code: "R" }] } });
  expect(await told(confidential)).toEqual({ place: "Sampleton Health", reads: 0 });
});
