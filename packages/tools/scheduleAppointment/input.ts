import * as z from "zod/mini";
import { maybeOneOf, maybeSaid } from "../parse-args.ts";

const actions = ["find", "book", "list", "reschedule", "cancel"] as const;
export type Action = (typeof actions)[number];

const timesOfDay = ["morning", "afternoon", "evening"] as const;
export type TimeOfDay = (typeof timesOfDay)[number];

const Fields = z.object({
  action: maybeOneOf(actions),
  slotId: maybeSaid(),
  start: maybeSaid(60),
  date: maybeSaid(60),
  time: maybeSaid(30),
  timeOfDay: maybeOneOf(timesOfDay),
  practitioner: maybeSaid(),
  service: maybeSaid(),
  appointmentId: maybeSaid(),
  appointmentDate: maybeSaid(60),
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
