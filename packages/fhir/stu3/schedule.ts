import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { converter, list } from "../convert/converter.ts";

/** https://hl7.org/fhir/STU3/slot.html: one service category. */
export const slot = converter<R3.Slot, R4.Slot>("Slot", "Slot", ({ serviceCategory, ...same }) => ({
  ...same,
  serviceCategory: list(serviceCategory),
}));

/** https://hl7.org/fhir/STU3/schedule.html */
export const schedule = converter<R3.Schedule, R4.Schedule>("Schedule", "Schedule", ({ serviceCategory, actor, ...same }) => ({
  ...same,
  serviceCategory: list(serviceCategory),
  actor: list(actor) ?? [],
}));
