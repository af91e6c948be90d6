import type * as R4 from "fhir/r4.js";
import type * as R3 from "fhir/r3.js";
import { carried } from "../convert/carried.ts";
import { codes } from "../convert/codes.ts";
import { converter, first, list, type Loose } from "../convert/converter.ts";

/** States that R4 added, as the nearest before. */
const status = codes([
  ["arrived", "arrived"],
  ["arrived", "checked-in"],
  ["pending", "pending"],
  ["pending", "waitlist"],
]);
const extra = carried<Pick<Loose<R4.Appointment>, "cancelationReason" | "patientInstruction">>("Appointment", {
  cancelationReason: "CodeableConcept",
  patientInstruction: "String",
});

/** https://hl7.org/fhir/STU3/appointment.html */
export const appointment = converter<R3.Appointment, R4.Appointment>(
  "Appointment",
  "Appointment",
  ({ reason, indication, incomingReferral, serviceCategory, ...same }) => ({
    ...same,
    ...extra.take(same),
    serviceCategory: list(serviceCategory),
    reasonCode: reason,
    reasonReference: list(indication),
    basedOn: incomingReferral,
  }),
  ({ reasonCode, reasonReference, basedOn, serviceCategory, cancelationReason, patientInstruction, ...same }) => ({
    ...same,
    ...extra.put({ cancelationReason, patientInstruction }, same),
    status: status.toNative(same.status),
    serviceCategory: first(serviceCategory),
    reason: reasonCode,
    indication: reasonReference,
    incomingReferral: basedOn,
  }),
);
