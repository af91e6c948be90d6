import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { converter, list } from "../convert/converter.ts";

/** https://hl7.org/fhir/DSTU2/slot.html */
export const slot = converter<R2.Slot, R4.Slot>("Slot", "Slot", ({ freeBusyType, type, ...same }) => ({
  ...same,
  status: freeBusyType,
  serviceType: list(type),
}));

/** https://hl7.org/fhir/DSTU2/schedule.html: one actor. */
export const schedule = converter<R2.Schedule, R4.Schedule>("Schedule", "Schedule", ({ type, actor, ...same }) => ({
  ...same,
  serviceType: type,
  actor: list(actor) ?? [],
}));
