import * as z from "zod/mini";
import { maybeOneOf, maybeSaid } from "../parse-args.ts";

const actions = ["find", "book", "list", "reschedule", "cancel"] as const;
export type Action = (typeof actions)[number];

const timesOfDay = ["morning", "afternoon", "evening"] as const;
export type TimeOfDay = (typeof timesOfDay)[number];

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
