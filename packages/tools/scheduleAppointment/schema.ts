import * as z from "zod/mini";
import { maybeOneOf, maybeSaid } from "../sdk/arguments.ts";
import { OpenSlot, timesOfDay } from "../scheduling/calendar.ts";

const actions = ["find", "book", "list", "reschedule", "cancel"] as const;
type Action = (typeof actions)[number];

const Fields = z.object({
  action: maybeOneOf(actions).check(z.describe("What to do; find unless told, or book where a time is named")),
  slotId: maybeSaid().check(z.describe("For book and reschedule: the slotId of an offered time")),
  start: maybeSaid(60).check(z.describe("For book and reschedule, in place of slotId: the start of an offered time, as ISO 8601")),
  date: maybeSaid(60).check(z.describe("The day the caller wants, as yyyy-mm-dd or as it was spoken, with the month by its name")),
  time: maybeSaid(30).check(z.describe("With date: the time of day to book, as it was spoken or as hh:mm")),
  timeOfDay: maybeOneOf(timesOfDay).check(z.describe("For find: in which part of the day")),
  practitioner: maybeSaid().check(z.describe('The doctor the caller names, such as "Dr. Larkmere"')),
  service: maybeSaid().check(z.describe('What the visit is for, in the caller\'s words: "cardiology", "heart doctor"')),
  appointmentId: maybeSaid().check(z.describe("For reschedule and cancel: the appointmentId of the one that is meant")),
  appointmentDate: maybeSaid(60).check(z.describe("For reschedule and cancel: the day of the appointment that is meant")),
});
type Fields = z.output<typeof Fields>;

const actionOf = ({ action, slotId, start }: Fields): Action => action ?? (slotId || start ? "book" : "find");
const takesSlot = (fields: Fields): boolean => ["book", "reschedule"].includes(actionOf(fields));
const namesSlot = ({ slotId, start, date, time }: Fields): boolean => Boolean(slotId ?? start ?? (date && time));

/** What to do about appointments. Without an action: a slot that is named is to be booked, else one is to be found. */
export const Input = z.pipe(
  Fields.check(z.refine((fields) => !takesSlot(fields) || namesSlot(fields), { path: ["appointmentTime"], error: "is missing" })),
  z.transform((fields: Fields) => ({ ...fields, action: actionOf(fields) })),
);
export type Input = z.output<typeof Input>;

export const Visit = z.object({
  appointmentId: z.string(),
  start: z.string(),
  practitioner: z.optional(z.string()),
  location: z.optional(z.string()),
  /** Asked for, and not yet granted by the clinic. */
  requested: z.optional(z.literal(true)),
});
export type Visit = z.output<typeof Visit>;

/** What came of it. Instants are ISO 8601. */
export const Output = z.discriminatedUnion("result", [
  /** `otherDays`: nothing was free on the day that was asked for, `from` and `until`: from when, and up to when, times were looked for. `unknown`: no practitioner, or no service, has the name that was asked for. */
  z.object({
    result: z.literal("found"),
    slots: z.array(OpenSlot),
    otherDays: z.boolean(),
    from: z.optional(z.string()),
    until: z.optional(z.string()),
    unknown: z.optional(z.enum(["practitioner", "service"])),
  }),
  z.object({ result: z.literal("taken"), slots: z.array(OpenSlot) }),
  z.object({ result: z.literal("booked"), appointment: Visit }),
  /** The EHR has the request, and someone there has to confirm it; until then the patient keeps what `stays`. */
  z.object({ result: z.literal("requested"), appointment: Visit, stays: z.optional(Visit) }),
  /** The patient has this very time already, or an appointment that `overlaps` it. */
  z.object({ result: z.literal("already"), appointment: Visit, overlaps: z.optional(z.literal(true)) }),
  /** No more are made in this call, or for a patient who has so many that were made by phone. */
  z.object({ result: z.literal("enough"), of: z.enum(["call", "patient"]) }),
  z.object({ result: z.literal("listed"), appointments: z.array(Visit) }),
  z.object({ result: z.literal("rescheduled"), appointment: Visit, replaced: Visit }),
  z.object({ result: z.literal("cancelled"), appointment: Visit }),
  /** More than one appointment could be meant. */
  z.object({ result: z.literal("which"), action: z.enum(["reschedule", "cancel"]), appointments: z.array(Visit) }),
  z.object({ result: z.literal("none"), action: z.enum(["reschedule", "cancel"]) }),
]);
export type Output = z.output<typeof Output>;
