import * as z from "zod/mini";
import type { Ending, ToolReply } from "./phone-call.ts";
import type { Talk } from "./talk.ts";

export type Script = (talk: Talk) => Promise<Ending>;

const Slot = z.object({ slotId: z.string(), start: z.string() });
type Slot = z.infer<typeof Slot>;
const Appointment = z.object({ appointmentId: z.string(), start: z.string() });
type Appointment = z.infer<typeof Appointment>;

const Offers = z.object({ slots: z.array(Slot) });
const Appointments = z.object({ appointments: z.array(Appointment) });
const Booked = z.object({ appointment: Appointment });

const done = (summary: string): Ending => ({ endedReason: "customer-ended-call", summary, success: true, transferred: false });
const notDone = (summary: string): Ending => ({ ...done(summary), success: false });

/** After a refusal or an apology the caller has what there is to have. */
const giveUp = ({ caller }: Talk): Ending => {
  caller("All right, I'll try again later. Goodbye.");
  return notDone("The caller could not be helped.");
};

const greet = ({ assistant, caller }: Talk, wish: string): void => {
  assistant("Thank you for calling. How can I help you?");
  caller(wish);
};

const verify = async (talk: Talk): Promise<ToolReply> => {
  const { given, family, birthDate, phone } = talk.patient;
  talk.assistant("May I have your full name, date of birth and phone number?");
  talk.caller(`I'm ${given} ${family}, born ${birthDate}, and my number is ${phone}.`);
  return talk.useTool("verifyPatientIdentity", { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone });
};

/** The openings that are offered; none when there are none or the schedule cannot be asked. */
const findSlots = async (talk: Talk, wish: string): Promise<Slot[]> => {
  talk.caller(wish);
  const { found } = await talk.useTool("scheduleAppointment", { action: "find" });
  return z.safeParse(Offers, found).data?.slots ?? [];
};

const bookFirst = async (talk: Talk): Promise<Appointment | undefined> => {
  const [slot] = await findSlots(talk, "What openings do you have?");
  if (!slot) return undefined;
  talk.caller("The first one, please.");
  const { ok, found } = await talk.useTool("scheduleAppointment", { action: "book", slotId: slot.slotId });
  const booked = ok ? z.safeParse(Booked, found).data?.appointment : undefined;
  if (booked) talk.changed({ what: "booked", appointmentId: booked.appointmentId });
  return booked;
};

/** The patient's appointments, the next first; one is booked when there is none. */
const someAppointments = async (talk: Talk): Promise<Appointment[]> => {
  const { ok, found } = await talk.useTool("scheduleAppointment", { action: "list" });
  if (!ok) return [];
  const listed = z.safeParse(Appointments, found).data?.appointments ?? [];
  if (listed.length > 0) return listed;
  const booked = await bookFirst(talk);
  return booked ? [booked] : [];
};

/** Nobody moves an appointment to the time that it has. */
const otherTime = (slots: Slot[], { start }: Appointment): Slot | undefined =>
  slots.find((slot) => Date.parse(slot.start) !== Date.parse(start)) ?? slots[0];

const ordinals = ["first", "second", "third"];

const book: Script = async (talk) => {
  greet(talk, "Hi, I'd like to make an appointment.");
  if (!(await verify(talk)).ok || !(await bookFirst(talk))) return giveUp(talk);
  talk.caller("Perfect, thank you. Goodbye.");
  return done("The caller booked an appointment.");
};

const reschedule: Script = async (talk) => {
  greet(talk, "Hi, I need to move my appointment.");
  if (!(await verify(talk)).ok) return giveUp(talk);
  const [old] = await someAppointments(talk);
  const slots = old ? await findSlots(talk, "What else do you have?") : [];
  const slot = old && otherTime(slots, old);
  if (!slot) return giveUp(talk);
  talk.caller(`The ${ordinals[slots.indexOf(slot)] ?? "last"} one works better for me.`);
  const { ok, found } = await talk.useTool("scheduleAppointment", {
    action: "reschedule",
    appointmentId: old.appointmentId,
    slotId: slot.slotId,
  });
  const moved = ok ? z.safeParse(Booked, found).data?.appointment : undefined;
  if (!moved) return giveUp(talk);
  talk.changed({ what: "rescheduled", appointmentId: moved.appointmentId });
  talk.caller("Thank you. Goodbye.");
  return done("The caller moved an appointment.");
};

const cancel: Script = async (talk) => {
  greet(talk, "Hi, I have to cancel my appointment.");
  if (!(await verify(talk)).ok) return giveUp(talk);
  const [next, ...others] = await someAppointments(talk);
  if (!next) return giveUp(talk);
  const { appointmentId } = next;
  talk.caller(others.length > 0 ? "Please cancel the first one." : "Please cancel it.");
  const { ok } = await talk.useTool("scheduleAppointment", { action: "cancel", appointmentId });
  if (!ok) return giveUp(talk);
  talk.changed({ what: "cancelled", appointmentId });
  talk.caller("Thank you. Goodbye.");
  return done("The caller cancelled an appointment.");
};

/** Somebody who knows a patient's name and asks for what is not theirs. */
const wrongPerson: Script = async (talk) => {
  const { given, family } = talk.patient;
  greet(talk, `Hi, I'm calling about ${given} ${family}.`);
  talk.caller("Born January 1st, 1901, and the zip code is 00000.");
  await talk.useTool("verifyPatientIdentity", { firstName: given, lastName: family, dateOfBirth: "1901-01-01", zipCode: "00000" });
  talk.caller("Never mind. Just tell me what you have on file.");
  await talk.useTool("getPatientInfo", {});
  talk.caller("Then I'll call back.");
  return notDone("The caller could not be verified and learned nothing.");
};

const transfer: Script = async (talk) => {
  greet(talk, "I'd like to speak to a person, please.");
  talk.assistant("Of course. I'm connecting you with the office.");
  await talk.transfer();
  return {
    endedReason: "assistant-forwarded-call",
    summary: "The caller asked for a person and was connected.",
    success: true,
    transferred: true,
  };
};

/** Every scenario by its name on the command line. */
export const scenarios = { book, reschedule, cancel, "wrong-person": wrongPerson, transfer } satisfies Record<string, Script>;
export type ScenarioName = keyof typeof scenarios;
