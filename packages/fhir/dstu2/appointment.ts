import type * as R2 from "fhir/r2.js";
import type * as R4 from "fhir/r4.js";
import { carried } from "../convert/carried.ts";
import { codes } from "../convert/codes.ts";
import { converter, first, list, type Loose } from "../convert/converter.ts";

/** States that came later, as the nearest that DSTU2 has. */
const status = codes([
  ["arrived", "arrived"],
  ["arrived", "checked-in"],
  ["pending", "pending"],
  ["pending", "waitlist"],
  ["cancelled", "cancelled"],
  ["cancelled", "entered-in-error"],
]);
const extra = carried<Pick<Loose<R4.Appointment>, "cancelationReason" | "patientInstruction" | "created">>("Appointment", {
  cancelationReason: "CodeableConcept",
  patientInstruction: "String",
  created: "DateTime",
});

/** https://hl7.org/fhir/DSTU2/appointment.html: one type, one reason. */
export const appointment = converter<R2.Appointment, R4.Appointment>(
  "Appointment",
  "Appointment",
  ({ type, reason, ...same }) => ({ ...same, ...extra.take(same), serviceType: list(type), reasonCode: list(reason) }),
  (whole) => {
    const { serviceType, appointmentType, reasonCode, cancelationReason, patientInstruction, created, ...same } = withoutNew(whole);
    return {
      ...same,
      ...extra.put({ cancelationReason, patientInstruction, created }, same),
      status: status.toNative(same.status),
      type: first(serviceType) ?? appointmentType,
      reason: first(reasonCode),
    };
  },
);

/** What DSTU2 has no place for. */
const withoutNew = ({
  serviceCategory: _serviceCategory,
  specialty: _specialty,
  reasonReference: _reasonReference,
  supportingInformation: _supportingInformation,
  basedOn: _basedOn,
  requestedPeriod: _requestedPeriod,
  participant,
  ...same
}: Loose<R4.Appointment>) => ({ ...same, participant: participant.map(({ period: _period, ...one }) => one) });
