import type { Appointment, Patient, Schedule, Slot } from "fhir/r4.js";
import { clinicClock, clinicDate } from "../store/clinic-time.ts";
import { hashText, pick, seededRandom, testData } from "./patients.ts";

const horizonDays = 21;
const opensAtMinute = 9 * 60;
const closesAtMinute = 17 * 60;
const slotMinutes = 30;
const busyShare = 0.25;

type WithId<T> = T & { id: string };

/** Days from today: the first one with slots, and how many days are looked at. */
export type SlotDays = { first?: number | undefined; count?: number | undefined };

/** Weekday slots, of the next three weeks unless told otherwise; about a quarter are booked by an appointment, which is included. */
export function generateSlots(
  schedules: WithId<Schedule>[],
  patients: WithId<Patient>[],
  now: Date,
  seed: number,
  { first = 0, count = horizonDays }: SlotDays = {},
): (WithId<Slot> | WithId<Appointment>)[] {
  const days = Array.from({ length: count }, (_, index) => clinicDate(now, first + index)).filter(isWeekday);
  const starts = Array.from({ length: (closesAtMinute - opensAtMinute) / slotMinutes }, (_, index) => opensAtMinute + index * slotMinutes);
  return days.flatMap((day) => {
    const clock = clinicClock(day);
    return schedules.flatMap((schedule) => starts.flatMap((minute) => generateSlot({ schedule, patients, day, minute, clock, seed })));
  });
}

const isWeekday = (date: string) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());

interface SlotPlan {
  schedule: WithId<Schedule>;
  patients: WithId<Patient>[];
  day: string;
  minute: number;
  clock: (minutes: number) => string;
  seed: number;
}

function generateSlot({ schedule, patients, day, minute, clock, seed }: SlotPlan): (WithId<Slot> | WithId<Appointment>)[] {
  const [start, end] = [clock(minute), clock(minute + slotMinutes)];
  // The id names the slot's time, so that a second seeding makes no duplicate
  const id = `${schedule.id.replace("schedule-practitioner", "slot")}-${day.replaceAll("-", "")}-${start.slice(11, 16).replace(":", "")}`;
  const random = seededRandom(hashText(id) ^ seed);
  const busy = random() < busyShare;
  const slot: WithId<Slot> = {
    resourceType: "Slot",
    id,
    meta: testData,
    schedule: { reference: `Schedule/${schedule.id}` },
    status: busy ? "busy" : "free",
    start,
    end,
    ...(schedule.serviceType && { serviceType: schedule.serviceType }),
    ...(schedule.specialty && { specialty: schedule.specialty }),
  };
  return busy ? [slot, takenBy(pick(random, patients), slot, schedule)] : [slot];
}

function takenBy(patient: WithId<Patient>, slot: WithId<Slot>, schedule: Schedule): WithId<Appointment> {
  return {
    resourceType: "Appointment",
    id: slot.id.replace("slot", "appointment"),
    meta: testData,
    status: "booked",
    start: slot.start,
    end: slot.end,
    slot: [{ reference: `Slot/${slot.id}` }],
    ...(slot.serviceType && { serviceType: slot.serviceType }),
    participant: [
      { actor: { reference: `Patient/${patient.id}` }, status: "accepted" },
      ...schedule.actor.map((actor) => ({ actor, status: "accepted" as const })),
    ],
  };
}
