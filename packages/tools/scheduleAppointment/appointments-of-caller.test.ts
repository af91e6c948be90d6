import type { ActsFor } from "@vitaline/store";
import type { Appointment } from "fhir/r4.js";
import { expect, it } from "vitest";
import type { Run } from "../sdk/run.ts";
import { createdDetail, summarizeMoved } from "./appointments-of-caller.ts";

const visit: Appointment = { resourceType: "Appointment", id: "a1", status: "booked", start: "2026-05-04T14:00:00Z", participant: [] };
const parent: ActsFor = { relationship: "parent", scope: "all", basis: "contact", speakerHash: "none" };

it("a reminder is in the language that the patient speaks, but not in that of a proxy: then the chart decides", () => {
  const languageOf = (actsFor: ActsFor | undefined) =>
    createdDetail({ namedLanguage: "es", state: { expiresAt: 0, level: 2, tries: 0, ...(actsFor ? { actsFor } : {}) } }, visit).language;
  expect([languageOf(undefined), languageOf(parent)]).toEqual(["es", undefined]);
  expect(createdDetail({ namedLanguage: "es", state: undefined }, visit).language).toBe("es");
});

it("a proxy without access to the record does not hear the doctor of a visit by moving it", async () => {
  const doctor = { actor: { reference: "Practitioner/p", display: "Dr. Amara Larkmere" }, status: "accepted" as const };
  const next: Appointment = { ...visit, id: "a2", participant: [doctor] };
  const told = async (actsFor: ActsFor | undefined) => {
    const state = { expiresAt: 0, level: 2, tries: 0, ...(actsFor ? { actsFor } : {}) };
    return (await summarizeMoved({ state, executionKey: "this request", ehr: { providerId: "ehr" } } as Run, next, visit)).practitioner;
  };
  expect(await told({ ...parent, scope: "appointments" })).toBeUndefined();
  expect(await told(parent)).toBe("Dr. Amara Larkmere");
  expect(await told(undefined)).toBe("Dr. Amara Larkmere");
});
