import type { ProxyScope } from "@vitaline/contract";
import type { Appointment } from "fhir/r4.js";
import { expect, test } from "vitest";
import type { Run } from "../sdk/run.ts";
import { hasOwnVisitAt, noteOwnVisits, upcomingAppointments } from "./appointments.ts";

const start = "2026-12-01T15:00:00Z";
const visit = (change: Partial<Appointment> = {}): Appointment => ({
  ...{ resourceType: "Appointment", status: "booked", start, participant: [{ status: "accepted" }] },
  ...change,
});
const confidential = visit({ meta: { security: [{ code: "R" }] } });
const runOf = (scope?: ProxyScope): Pick<Run, "state"> => ({
  state: {
    ...{ level: 1, tries: 0, expiresAt: 4e9 },
    ...(scope ? { actsFor: { relationship: "parent", scope, basis: "proxy", speakerHash: "h" } } : {}),
  },
});
const isTold = (run: Pick<Run, "state">, one: Appointment, at = start): boolean => {
  noteOwnVisits(run, [one]);
  return hasOwnVisitAt(run, new Date(at));
};

test("a coming visit is the patient's own at the minute it begins, in that run alone", () => {
  expect(isTold(runOf(), visit())).toBe(true);
  expect(isTold(runOf(), visit(), "2026-12-01T15:15:00Z")).toBe(false);
  expect(isTold(runOf(), visit({ status: "fulfilled" }))).toBe(false);
  expect(hasOwnVisitAt(runOf(), new Date(start))).toBe(false);
});

test("a confidential visit is told to the patient, and not to who speaks for them without access to the record", () => {
  expect(isTold(runOf(), confidential)).toBe(true);
  expect(isTold(runOf("all"), confidential)).toBe(true);
  expect(isTold(runOf("appointments"), confidential)).toBe(false);
  expect(isTold(runOf("appointments"), visit())).toBe(true);
});

test("the next visit of a patient is known among those of a year of dialysis, in any order", async () => {
  const now = new Date("2026-11-30T12:00:00Z");
  const participant = [{ actor: { reference: "Patient/p" }, status: "accepted" as const }];
  const visits = Array.from({ length: 156 }, (_, at) =>
    visit({ id: String(at), start: new Date(now.getTime() + (156 - at) * 56 * 3_600_000).toISOString(), participant }),
  );
  const ehr = {
    capability: async () => ({ supports: () => true }),
    search: async (_: string, __: object, { maxResources }: { maxResources: number }) => visits.slice(0, maxResources),
  };
  const run = { ctx: { clock: () => now }, ehr, state: { patientId: "p" } } as unknown as Run;
  const upcoming = await upcomingAppointments(run);
  expect([upcoming.length, upcoming[0]?.id]).toEqual([156, "155"]);
});
