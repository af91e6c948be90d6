import type { Appointment, Slot } from "fhir/r4.js";
import { Refusal } from "../http/http.ts";
import { parseReference, type Resource, type Stored } from "../store/resource.ts";
import type { View } from "../store/store.ts";

type Status = Appointment["status"];

/** A proposed appointment keeps its slots until it is booked or cancelled. */
const slotStatus: Partial<Record<Status, Slot["status"]>> = {
  proposed: "busy-tentative",
  pending: "busy-tentative",
  booked: "busy",
  arrived: "busy",
  "checked-in": "busy",
  fulfilled: "busy",
};

/** Allowed status transitions; staff may correct how a visit finalStatuses. */
const firstStatuses: readonly Status[] = ["proposed", "pending", "booked", "waitlist"];
const finalStatuses: readonly Status[] = ["cancelled", "entered-in-error"];
const visitStatuses: readonly Status[] = ["arrived", "checked-in", "fulfilled", "noshow", ...finalStatuses];
const nextStatuses: Record<Status, readonly Status[]> = {
  proposed: ["pending", "booked", "waitlist", ...finalStatuses],
  pending: ["booked", ...finalStatuses],
  waitlist: ["proposed", "booked", ...finalStatuses],
  booked: visitStatuses,
  arrived: visitStatuses,
  "checked-in": visitStatuses,
  fulfilled: visitStatuses,
  noshow: visitStatuses,
  cancelled: finalStatuses,
  "entered-in-error": finalStatuses,
};

/**
 * The appointment first, then the slots that it takes or frees. Throws a Refusal: 409 for a taken slot, 422 for a forbidden status
 * transition.
 */
export function bookingChanges(view: View, before: Appointment | undefined, after: Appointment, now: Date): Resource[] {
  checkMove(before?.status, after.status);
  checkChart(view, after);
  const [heldBefore, heldAfter] = [slotsHeld(before), slotsHeld(after)];
  const taken = heldAfter.filter((id) => !heldBefore.includes(id)).map((id) => freeSlot(view, id, now));
  const kept = heldAfter.filter((id) => heldBefore.includes(id)).flatMap((id) => view.get("Slot", id) ?? []);
  const givenBack = heldBefore.filter((id) => !heldAfter.includes(id)).flatMap((id) => view.get("Slot", id) ?? []);
  const status = slotStatus[after.status];
  const held = status ? [...taken, ...kept.filter((slot) => slot.status !== status)].map((slot) => ({ ...slot, status })) : [];
  return [
    taken[0] ? fillFromSlot(view, after, taken[0], givenBack[0]) : after,
    ...held,
    ...givenBack.map((slot) => ({ ...slot, status: "free" as const })),
  ];
}

const slotsHeld = (appointment: Appointment | undefined): string[] =>
  appointment && slotStatus[appointment.status]
    ? (appointment.slot ?? []).flatMap(({ reference }) => parseReference(reference)?.id ?? [])
    : [];

function refuse(text: string): never {
  throw new Refusal(422, "business-rule", text);
}

function checkMove(from: Status | undefined, to: Status): void {
  const allowed = from === undefined ? firstStatuses : [from, ...nextStatuses[from]];
  if (!allowed.includes(to)) refuse(from ? `An appointment that is ${from} cannot become ${to}` : `An appointment cannot start as ${to}`);
}

function checkChart(view: View, appointment: Appointment): void {
  const patients = appointment.participant.flatMap(({ actor }) => {
    const target = parseReference(actor?.reference);
    return target?.type === "Patient" ? [target.id] : [];
  });
  if (patients.length !== 1) refuse("An appointment needs exactly one patient among its participants");
  const patient = view.get("Patient", patients[0]!) ?? refuse("The patient of the appointment does not exist");
  const status = slotStatus[appointment.status];
  if (status === undefined) return;
  if (patient.active === false || patient.deceasedBoolean) refuse("This chart is closed");
  if (appointment.slot?.length) return;
  if (status === "busy") refuse("This server books by slot: the appointment names none");
  if (!appointment.requestedPeriod?.length) refuse("A proposed appointment needs a slot or a requested period");
}

function freeSlot(view: View, id: string, now: Date) {
  const slot = view.get("Slot", id) ?? refuse("The slot of the appointment does not exist");
  if (slot.status !== "free") throw new Refusal(409, "conflict", "The slot is no longer free");
  if (Date.parse(slot.start) < now.getTime()) refuse("The slot has already begun");
  return slot;
}

/** Like most EHRs, fills in time, practitioner and location from the slot and removes those of the former slot. */
function fillFromSlot(view: View, appointment: Appointment, slot: Slot, left: Slot | undefined): Appointment {
  const actors = scheduleOf(view, slot)?.actor ?? [];
  const gone = new Set((left && scheduleOf(view, left)?.actor)?.map(({ reference }) => reference));
  for (const { reference } of actors) gone.delete(reference);
  const staying = appointment.participant.filter(({ actor }) => !gone.has(actor?.reference));
  const named = new Set(staying.map(({ actor }) => parseReference(actor?.reference)?.type));
  const added = actors.filter(({ reference }) => !named.has(parseReference(reference)?.type));
  const { start, end, serviceType } = slot;
  return {
    ...appointment,
    start,
    end,
    ...(serviceType && { serviceType }),
    participant: [...staying, ...added.map((actor) => ({ actor, status: "accepted" as const }))],
  };
}

export const scheduleOf = (view: View, { schedule }: Slot): Stored<"Schedule"> | undefined =>
  view.get("Schedule", parseReference(schedule.reference)?.id ?? "");

/** Only the status may change, and not while an appointment holds the slot. */
export function slotChanges(view: View, before: Slot, after: Slot): Resource[] {
  const fixed = (slot: Slot) => JSON.stringify([slot.schedule.reference, slot.start, slot.end]);
  if (fixed(before) !== fixed(after)) refuse("A slot keeps its schedule, its start and its end");
  const holder = view.all("Appointment").find((appointment) => slotsHeld(appointment).includes(before.id ?? ""));
  if (holder && after.status !== slotStatus[holder.status]) refuse("An appointment holds this slot");
  return [after];
}
