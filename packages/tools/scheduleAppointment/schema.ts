import * as z from "zod/mini";
import { optionalEnum, optionalResourceId, optionalText } from "../sdk/arguments.ts";
import { readDoctor } from "../nlu/who/read-doctor.ts";
import { type Gender, OpenSlot, timesOfDay } from "../scheduling/slot-source.ts";

const actions = ["find", "book", "list", "reschedule", "cancel"] as const;
type Action = (typeof actions)[number];

const Fields = z.object({
  action: optionalEnum(actions).check(z.describe("What to do; find if not given, or book with a slotId or start")),
  slotId: optionalResourceId().check(z.describe("For book and reschedule: the slotId of an offered time")),
  start: optionalText(60).check(z.describe("For book and reschedule, in place of slotId: the start of an offered time, as ISO 8601")),
  date: optionalText(60).check(z.describe("The day the caller wants, as yyyy-mm-dd or as spoken, with the month spelled out")),
  time: optionalText(60).check(z.describe("With date: the time of day to book, as spoken or as hh:mm")),
  timeOfDay: optionalEnum(timesOfDay).check(z.describe("For find: in which part of the day")),
  practitioner: optionalText().check(z.describe('The doctor as the caller says: "Dr. Larkmere", "a female doctor", "my usual one"')),
  service: optionalText().check(z.describe('What the visit is for, in the caller\'s words: "cardiology", "heart doctor"')),
  location: optionalText().check(z.describe("The place or town the caller wants")),
  appointmentId: optionalResourceId().check(z.describe("For reschedule and cancel: the appointmentId of the one that is meant")),
  appointmentDate: optionalText(60).check(z.describe("For reschedule and cancel: the day of the appointment that is meant")),
});
type Fields = z.output<typeof Fields>;

const actionOf = ({ action, slotId, start }: Fields): Action => action ?? (slotId || start ? "book" : "find");

type DoctorAsked = {
  practitioner: string | undefined;
  service: string | undefined;
  gender?: Gender;
  /** The caller has no preference. */
  acceptsAnyDoctor: boolean;
  wantsUsualDoctor: boolean;
};

/** A kind of doctor is what the visit is for. */
function doctorOf({ practitioner, service }: Fields): DoctorAsked {
  const unnamed = { practitioner: undefined, service, acceptsAnyDoctor: false, wantsUsualDoctor: false };
  if (practitioner === undefined) return unnamed;
  const read = readDoctor(practitioner);
  switch (read.kind) {
    case "any":
      return { ...unnamed, acceptsAnyDoctor: true };
    case "usual":
      return { ...unnamed, wantsUsualDoctor: true };
    case "specialty":
      return { ...unnamed, service: service ?? read.specialty };
    case "gender":
      return { ...unnamed, service: service ?? read.specialty, gender: read.gender };
    case "name":
    case "ambiguous":
    case "unknown":
      return { ...unnamed, practitioner };
  }
}

/** Without an action, an offered slot or its start means book, otherwise find. */
export const Input = z.pipe(
  Fields,
  z.transform((fields: Fields) => ({ ...fields, ...doctorOf(fields), action: actionOf(fields) })),
);
export type Input = z.output<typeof Input>;

export const AppointmentSummary = z.object({
  appointmentId: z.string(),
  start: z.string(),
  practitioner: z.optional(z.string()),
  location: z.optional(z.string()),
  gender: z.optional(z.enum(["female", "male"])),
  /** Not yet confirmed by the clinic. */
  requested: z.optional(z.literal(true)),
});
export type AppointmentSummary = z.output<typeof AppointmentSummary>;

/** `from`, `until`: yyyy-mm-dd; `time`: minutes after midnight. */
const TimeOption = z.object({ from: z.optional(z.string()), until: z.optional(z.string()), time: z.optional(z.number()) });
export type TimeOption = z.output<typeof TimeOption>;

/**
 * Why the offers are not what the caller asked for. "female", "male", "usual", "location": no opening there; "gender": the calendar does
 * not tell which doctors are women; "noUsual": no usual doctor is known; "visitDoctor": not with the doctor of the visit that is moved;
 * "noPlaces": the calendar does not tell places; "service": a general visit in place of a specialist.
 */
const Instead = z.enum(["female", "male", "gender", "usual", "noUsual", "visitDoctor", "location", "noPlaces", "service"]);
export type Instead = z.output<typeof Instead>;

const Limit = z.enum(["call", "patient"]);

/** The first name of the patient, for a caller who speaks for them. */
const named = { patient: z.optional(z.string()) };

const action = z.enum(["reschedule", "cancel"]);

/** Instants are ISO 8601. */
export const Output = z.discriminatedUnion("result", [
  /** `otherDays`: nothing is free on the requested day. `from`, `until`: the searched period. `unknown`: no match for this term. */
  z.object({
    result: z.literal("found"),
    slots: z.array(OpenSlot),
    otherDays: z.boolean(),
    from: z.optional(z.string()),
    until: z.optional(z.string()),
    unknown: z.optional(z.enum(["practitioner", "service", "location"])),
    /** Where there are openings, if the place is unknown. */
    places: z.optional(z.array(z.string())),
    instead: z.optional(Instead),
    /** Nothing is free at the requested time of day. */
    otherTimes: z.optional(z.literal(true)),
    /** The clinic is closed on the requested day, yyyy-mm-dd. */
    closedOn: z.optional(z.string()),
    /** The exact time that the caller asked for. If it is open, it is the only offer; `isOwn`: the patient has a visit then; `hasPlaces`: others are elsewhere; `needsIdentity`: the caller is not verified yet. */
    asked: z.optional(
      z.object({
        start: z.string(),
        isOpen: z.boolean(),
        isOwn: z.optional(z.literal(true)),
        hasPlaces: z.optional(z.literal(true)),
        needsIdentity: z.optional(z.literal(true)),
      }),
    ),
    /** These times can only be moved to, as no more can be booked. */
    limit: z.optional(Limit),
  }),
  /** `isNoOpening`: no such time was free before either. `closedOn` as for found. */
  z.object({
    result: z.literal("taken"),
    slots: z.array(OpenSlot),
    isNoOpening: z.optional(z.literal(true)),
    closedOn: z.optional(z.string()),
    instead: z.optional(Instead),
  }),
  /** Several times fit, or the chosen one was not offered: the caller is to choose. `isBeyond`: "the fifth one" of three. Nothing was booked. */
  z.object({ result: z.literal("choose"), slots: z.array(OpenSlot), isBeyond: z.optional(z.literal(true)) }),
  /** The time is not clear: the caller is to choose among the possible ones, or to say it again. `isTooFar`: in more than two years. Nothing was booked. */
  z.object({ result: z.literal("ask"), options: z.array(TimeOption), isTooFar: z.optional(z.literal(true)) }),
  /** Two specialties that the clinic has fit what the caller said. */
  z.object({ result: z.literal("whichService"), services: z.array(z.string()) }),
  /** `isLast`: no more can be booked for this patient, in this call or by phone. */
  z.object({ result: z.literal("booked"), appointment: AppointmentSummary, isLast: z.optional(z.literal(true)), ...named }),
  /** The clinic must confirm it; until then the patient keeps `stays`. */
  z.object({ result: z.literal("requested"), appointment: AppointmentSummary, stays: z.optional(AppointmentSummary), ...named }),
  /** The patient has this time, or an appointment that `overlaps` it. */
  z.object({ result: z.literal("already"), appointment: AppointmentSummary, overlaps: z.optional(z.literal(true)), ...named }),
  /** No more can be booked for this patient: in this call, or by phone. */
  z.object({ result: z.literal("enough"), of: Limit, ...named }),
  z.object({ result: z.literal("listed"), appointments: z.array(AppointmentSummary), ...named }),
  z.object({ result: z.literal("rescheduled"), appointment: AppointmentSummary, replaced: AppointmentSummary, ...named }),
  z.object({ result: z.literal("cancelled"), appointment: AppointmentSummary, ...named }),
  /** The caller named no appointment: they are to confirm that this one is meant. Nothing was changed. */
  z.object({ result: z.literal("confirm"), action, appointment: AppointmentSummary, ...named }),
  /** Several appointments match. */
  z.object({ result: z.literal("which"), action, appointments: z.array(AppointmentSummary), ...named }),
  z.object({ result: z.literal("none"), action, ...named }),
]);
export type Output = z.output<typeof Output>;
