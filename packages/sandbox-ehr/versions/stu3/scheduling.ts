import type * as r3 from "fhir/r3.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, listOf, pick, type Plain, toR4Code } from "../older.ts";
import { base, reference } from "./elements.ts";

export const location = (one: Plain<r4.Location>): r3.Location =>
  compact({
    resourceType: "Location",
    ...base(one),
    ...pick(one, "identifier", "status", "operationalStatus", "name", "alias", "description", "mode", "telecom", "address"),
    ...pick(one, "physicalType", "position", "managingOrganization", "partOf"),
    type: first(one.type),
  });

export const schedule = (one: Plain<r4.Schedule>): r3.Schedule =>
  compact({
    resourceType: "Schedule",
    ...base(one),
    ...pick(one, "identifier", "active", "serviceType", "specialty", "planningHorizon", "comment"),
    actor: one.actor.map(reference),
    serviceCategory: first(one.serviceCategory),
  });

export const slot = (one: Plain<r4.Slot>): r3.Slot =>
  compact({
    resourceType: "Slot",
    ...base(one),
    ...pick(
      one,
      "identifier",
      "serviceType",
      "specialty",
      "appointmentType",
      "schedule",
      "status",
      "start",
      "end",
      "overbooked",
      "comment",
    ),
    serviceCategory: first(one.serviceCategory),
  });

export const slotToR4 = (one: r3.Slot): r4.Slot =>
  compact({
    ...one,
    status: one.status as r4.Slot["status"],
    serviceCategory: listOf(one.serviceCategory),
  } as r4.Slot);

const statusBefore: Partial<Record<r4.Appointment["status"], string>> = { "checked-in": "arrived", waitlist: "proposed" };
const statuses: Record<string, r4.Appointment["status"]> = {
  proposed: "proposed",
  pending: "pending",
  booked: "booked",
  arrived: "arrived",
  fulfilled: "fulfilled",
  cancelled: "cancelled",
  noshow: "noshow",
  "entered-in-error": "entered-in-error",
};

export const appointment = (one: Plain<r4.Appointment>): r3.Appointment =>
  compact({
    resourceType: "Appointment",
    ...base(one),
    ...pick(one, "identifier", "serviceType", "specialty", "appointmentType", "priority", "description", "supportingInformation"),
    ...pick(one, "start", "end", "minutesDuration", "slot", "created", "comment", "requestedPeriod"),
    status: statusBefore[one.status] ?? one.status,
    serviceCategory: first(one.serviceCategory),
    reason: one.reasonCode,
    indication: one.reasonReference,
    incomingReferral: one.basedOn,
    participant: one.participant.map((who) => pick(who, "type", "actor", "required", "status")),
  });

export function appointmentToR4({ reason, indication, incomingReferral, serviceCategory, ...one }: r3.Appointment): r4.Appointment {
  return compact({
    ...one,
    status: toR4Code(one.status, statuses, "Appointment.status"),
    serviceCategory: listOf(serviceCategory),
    reasonCode: reason,
    reasonReference: indication,
    basedOn: incomingReferral,
  } as r4.Appointment);
}
