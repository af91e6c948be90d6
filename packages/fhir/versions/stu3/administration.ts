import type * as R3 from "fhir/r3.js";
import type * as R4 from "fhir/r4.js";
import { codeMap } from "../convert/code-systems.ts";
import { converter, first, list, type Loose } from "../convert/converter.ts";
import { crossVersionExtension } from "../convert/cross-version-extension.ts";

/** https://hl7.org/fhir/STU3/patient.html */
export const patient = converter<R3.Patient, R4.Patient>(
  "Patient",
  "Patient",
  ({ generalPractitioner, ...same }) => ({ ...same, generalPractitioner: list(generalPractitioner) }),
  (same) => same,
);

/** https://hl7.org/fhir/STU3/relatedperson.html: one relationship. */
export const relatedPerson = converter<R3.RelatedPerson, R4.RelatedPerson>(
  "RelatedPerson",
  "RelatedPerson",
  ({ relationship, ...same }) => ({ ...same, relationship: list(relationship) }),
);

/** https://hl7.org/fhir/STU3/flag.html: one category. */
export const flag = converter<R3.Flag, R4.Flag>("Flag", "Flag", ({ category, ...same }) => ({ ...same, category: list(category) }));

/** https://hl7.org/fhir/STU3/location.html: one type. */
export const location = converter<R3.Location, R4.Location>("Location", "Location", ({ type, ...same }) => ({ ...same, type: list(type) }));

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

/** STU3 lacks the later R4 statuses; the nearest one is sent. */
const appointmentStatus = codeMap([
  ["arrived", "arrived"],
  ["arrived", "checked-in"],
  ["pending", "pending"],
  ["pending", "waitlist"],
]);
const appointmentExtensions = crossVersionExtension<Pick<Loose<R4.Appointment>, "cancelationReason" | "patientInstruction">>(
  "Appointment",
  {
    cancelationReason: "CodeableConcept",
    patientInstruction: "String",
  },
);

/** https://hl7.org/fhir/STU3/appointment.html */
export const appointment = converter<R3.Appointment, R4.Appointment>(
  "Appointment",
  "Appointment",
  ({ reason, indication, incomingReferral, serviceCategory, ...same }) => ({
    ...same,
    ...appointmentExtensions.read(same),
    serviceCategory: list(serviceCategory),
    reasonCode: reason,
    reasonReference: list(indication),
    basedOn: incomingReferral,
  }),
  ({ reasonCode, reasonReference, basedOn, serviceCategory, cancelationReason, patientInstruction, ...same }) => ({
    ...same,
    ...appointmentExtensions.write({ cancelationReason, patientInstruction }, same),
    status: appointmentStatus.toNative(same.status),
    serviceCategory: first(serviceCategory),
    reason: reasonCode,
    indication: reasonReference,
    incomingReferral: basedOn,
  }),
);
