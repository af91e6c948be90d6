import type * as r2 from "fhir/r2.js";
import type * as r4 from "fhir/r4.js";
import { compact, first, listOf, pick, type Plain, mapCode, toR4Code } from "../older.ts";
import { address, base, identifier, reference, referenceIf, references, telecom } from "./elements.ts";

export const location = (one: Plain<r4.Location>): r2.Location =>
  compact({
    resourceType: "Location",
    ...base(one),
    ...pick(one, "status", "name", "description", "mode", "physicalType", "position"),
    identifier: one.identifier?.map(identifier),
    type: first(one.type),
    telecom: one.telecom?.map(telecom),
    address: one.address && address(one.address),
    managingOrganization: referenceIf(one.managingOrganization),
    partOf: referenceIf(one.partOf),
  });

/** DSTU2 allows one actor: the practitioner before the location. */
export function schedule(one: Plain<r4.Schedule>): r2.Schedule {
  const actor = one.actor.find(({ reference: who }) => who?.startsWith("Practitioner/")) ?? one.actor[0] ?? {};
  return compact({
    resourceType: "Schedule",
    ...base(one),
    ...pick(one, "planningHorizon", "comment"),
    identifier: one.identifier?.map(identifier),
    type: one.serviceType,
    actor: reference(actor),
  });
}

export const slot = (one: Plain<r4.Slot>): r2.Slot =>
  compact({
    resourceType: "Slot",
    ...base(one),
    ...pick(one, "start", "end", "overbooked", "comment"),
    identifier: one.identifier?.map(identifier),
    type: first(one.serviceType),
    schedule: reference(one.schedule),
    freeBusyType: one.status === "entered-in-error" ? "busy-unavailable" : one.status,
  });

export function slotToR4({ type, freeBusyType, ...one }: r2.Slot): r4.Slot {
  return compact({ ...one, status: freeBusyType as r4.Slot["status"], serviceType: listOf(type) } as r4.Slot);
}

const statusBefore = { "checked-in": "arrived", waitlist: "proposed", "entered-in-error": "cancelled" };
const statuses: Record<string, r4.Appointment["status"]> = {
  proposed: "proposed",
  pending: "pending",
  booked: "booked",
  arrived: "arrived",
  fulfilled: "fulfilled",
  cancelled: "cancelled",
  noshow: "noshow",
};

export const appointment = (one: Plain<r4.Appointment>): r2.Appointment =>
  compact({
    resourceType: "Appointment",
    ...base(one),
    ...pick(one, "priority", "description", "start", "end", "minutesDuration", "comment"),
    identifier: one.identifier?.map(identifier),
    status: mapCode(one.status, statusBefore) ?? "proposed",
    type: first(one.serviceType),
    reason: first(one.reasonCode),
    slot: references(one.slot),
    participant: one.participant.map((who) => compact({ ...pick(who, "type", "required", "status"), actor: referenceIf(who.actor) })),
  });

export function appointmentToR4({ type, reason, ...one }: r2.Appointment): r4.Appointment {
  return compact({
    ...one,
    status: toR4Code(one.status, statuses, "Appointment.status"),
    serviceType: listOf(type),
    reasonCode: listOf(reason),
  } as r4.Appointment);
}
