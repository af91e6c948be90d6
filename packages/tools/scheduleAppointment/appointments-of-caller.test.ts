import type { ActsFor } from "@vitaline/store";
import type { Appointment } from "fhir/r4.js";
import { expect, it } from "vitest";
import { createdDetail } from "./appointments-of-caller.ts";

const visit: Appointment = { resourceType: "Appointment", id: "a1", status: "booked", start: "2026-05-04T14:00:00Z", participant: [] };
const parent: ActsFor = { relationship: "parent", scope: "all", by: "contact", speakerHash: "none" };

it("a reminder is in the language that the patient speaks, but not in that of a proxy: then the chart decides", () => {
  const languageOf = (actsFor: ActsFor | undefined) =>
    createdDetail({ namedLanguage: "es", state: { expiresAt: 0, level: 2, tries: 0, ...(actsFor ? { actsFor } : {}) } }, visit).language;
  expect([languageOf(undefined), languageOf(parent)]).toEqual(["es", undefined]);
  expect(createdDetail({ namedLanguage: "es", state: undefined }, visit).language).toBe("es");
});
