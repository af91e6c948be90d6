import type { Appointment, Slot } from "fhir/r4.js";
import { Refusal } from "./refusal.ts";
import { parseReference, type Resource } from "./resource.ts";
import type { Store } from "./store.ts";

/** An appointment in these states leaves its slots to others. */
const releasing = new Set<Appointment["status"]>(["proposed", "waitlist", "cancelled", "noshow", "entered-in-error"]);

/**
 * What storing an appointment changes: itself, the slots it takes (busy) and those it gives back (free).
 * A slot that somebody else holds is a conflict (409).
 */
export function bookingChanges(store: Store, before: Appointment | undefined, wanted: Appointment, now: Date): Resource[] {
  const after = checked(store, wanted);
  const [heldBefore, heldAfter] = [before ? slotsHeld(before) : [], slotsHeld(after)];
  const taken = heldAfter.filter((id) => !heldBefore.includes(id)).map((id) => freeSlot(store, id, now));
  const givenBack = heldBefore.filter((id) => !heldAfter.includes(id)).flatMap((id) => store.get("Slot", id) ?? []);
  return [
    taken[0] ? placedIn(store, after, taken[0]) : after,
    ...taken.map((slot) => ({ ...slot, status: "busy" as const })),
    ...givenBack.map((slot) => ({ ...slot, status: "free" as const })),
  ];
}

const slotsHeld = ({ status, slot = [] }: Appointment): string[] =>
  releasing.has(status) ? [] : slot.flatMap(({ reference }) => parseReference(reference)?.id ?? []);

function checked(store: Store, appointment: Appointment): Appointment {
  const refuse = (text: string): never => {
    throw new Refusal(422, "business-rule", text);
  };
  const patients = (appointment.participant ?? []).flatMap(({ actor }) => {
    const target = parseReference(actor?.reference);
    return target?.type === "Patient" ? [target.id] : [];
  });
  if (patients.length !== 1) refuse("An appointment needs exactly one patient among its participants");
  const patient = store.get("Patient", patients[0]!) ?? refuse("The patient of the appointment does not exist");
  if (!releasing.has(appointment.status)) {
    if (patient.active === false || patient.deceasedBoolean) refuse("This chart is closed");
    if (!appointment.slot?.length) refuse("This server books by slot: the appointment names none");
  }
  return appointment;
}

function freeSlot(store: Store, id: string, now: Date) {
  const slot = store.get("Slot", id);
  if (!slot) throw new Refusal(422, "business-rule", "The slot of the appointment does not exist");
  if (slot.status !== "free") throw new Refusal(409, "conflict", "The slot is no longer free");
  if (Date.parse(slot.start) < now.getTime()) throw new Refusal(422, "business-rule", "The slot has already begun");
  return slot;
}

/** Like most EHRs, fills in when, with whom and where from the slot. */
function placedIn(store: Store, appointment: Appointment, slot: Slot): Appointment {
  const schedule = store.get("Schedule", parseReference(slot.schedule.reference)?.id ?? "");
  const named = new Set(appointment.participant.map(({ actor }) => parseReference(actor?.reference)?.type));
  const added = (schedule?.actor ?? []).filter(({ reference }) => !named.has(parseReference(reference)?.type));
  const { start, end, serviceType } = slot;
  return {
    ...appointment,
    start,
    end,
    ...(serviceType && { serviceType }),
    participant: [...appointment.participant, ...added.map((actor) => ({ actor, status: "accepted" as const }))],
  };
}
