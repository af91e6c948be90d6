import type { Appointment } from "fhir/r4.js";
import { expect, test } from "vitest";
import type { Run } from "../sdk/run.ts";
import { findBookedByRequest } from "./book-slot.ts";

test("at a server without identifiers, a new appointment is taken for a booking of unknown outcome only at its time", async () => {
  const start = "2026-12-01T15:00:00Z";
  const made: Appointment = {
    resourceType: "Appointment",
    id: "new",
    status: "booked",
    start,
    participant: [{ actor: { reference: "Patient/p" }, status: "accepted" }],
  };
  const ehr = {
    behavior: async () => ({ keepsIdentifiers: false }),
    capability: async () => ({ supports: () => true }),
    search: async () => [made],
  };
  const run = { ctx: { clock: () => new Date("2026-11-30T12:00:00Z") }, ehr, state: { patientId: "p" } } as unknown as Run;
  const found = async (time: { start?: string }) => (await findBookedByRequest(run, { priorAppointmentIds: "", ...time }))?.id;
  expect(await found({ start })).toBe("new");
  expect(await found({ start: "2026-12-01T16:00:00Z" })).toBeUndefined();
  expect(await found({})).toBeUndefined();
});
