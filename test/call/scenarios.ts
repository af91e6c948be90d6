import * as z from "zod/mini";
import type { Ending, ToolReply } from "./phone-call.ts";
import type { Talk } from "./talk.ts";

export type Script = (talk: Talk) => Promise<Ending>;

const Offers = z.object({ slots: z.array(z.object({ slotId: z.string() })) });
const Appointments = z.object({ appointments: z.array(z.object({ appointmentId: z.string() })) });
const Booked = z.object({ appointment: z.object({ appointmentId: z.string() }) });

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

/** The first opening that is offered; undefined when there is none or the schedule cannot be asked. */
const findSlot = async (talk: Talk, wish: string): Promise<string | undefined> => {
  talk.caller(wish);
  const { found } = await talk.useTool("scheduleAppointment", { action: "find" });
  return z.safeParse(Offers, found).data?.slots[0]?.slotId;
};

const bookFirst = async (talk: Talk): Promise<string | undefined> => {
  const slotId = await findSlot(talk, "What openings do you have?");
  if (slotId === undefined) return undefined;
  talk.caller("The first one, please.");
  const { ok, found } = await talk.useTool("scheduleAppointment", { action: "book", slotId });
  const booked = ok ? z.safeParse(Booked, found).data?.appointment : undefined;
  if (booked) talk.changed({ what: "booked", appointmentId: booked.appointmentId });
  return booked?.appointmentId;
};

/** The next appointment of the patient; one is booked first when there is none. */
const someAppointment = async (talk: Talk): Promise<string | undefined> => {
  const { ok, found } = await talk.useTool("scheduleAppointment", { action: "list" });
  return ok ? (z.safeParse(Appointments, found).data?.appointments[0]?.appointmentId ?? (await bookFirst(talk))) : undefined;
};

const book: Script = async (talk) => {
  greet(talk, "Hi, I'd like to make an appointment.");
  if (!(await verify(talk)).ok || (await bookFirst(talk)) === undefined) return giveUp(talk);
  talk.caller("Perfect, thank you. Goodbye.");
  return done("The caller booked an appointment.");
};

const reschedule: Script = async (talk) => {
  greet(talk, "Hi, I need to move my appointment.");
  if (!(await verify(talk)).ok) return giveUp(talk);
  const appointmentId = await someAppointment(talk);
  const slotId = appointmentId && (await findSlot(talk, "What else do you have?"));
  if (!slotId) return giveUp(talk);
  talk.caller("The first one works better for me.");
  const { ok, found } = await talk.useTool("scheduleAppointment", { action: "reschedule", appointmentId, slotId });
  const moved = ok ? z.safeParse(Booked, found).data?.appointment : undefined;
  if (!moved) return giveUp(talk);
  talk.changed({ what: "rescheduled", appointmentId: moved.appointmentId });
  talk.caller("Thank you. Goodbye.");
  return done("The caller moved an appointment.");
};

const cancel: Script = async (talk) => {
  greet(talk, "Hi, I have to cancel my appointment.");
  if (!(await verify(talk)).ok) return giveUp(talk);
  const appointmentId = await someAppointment(talk);
  if (!appointmentId) return giveUp(talk);
  talk.caller("Please cancel it.");
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
