import * as z from "zod/mini";
import type { ToolReply } from "./phone-call.ts";
import { afterHours } from "./scenarios/after-hours.ts";
import { bookInSpanish, femaleDoctor, secondOffer, wrongChoice } from "./scenarios/choosing.ts";
import { emergency, emergencyInSpanish } from "./scenarios/emergencies.ts";
import {
  Appointment,
  Booked,
  done,
  endWithoutResult,
  findSlots,
  greet,
  notDone,
  type Script,
  Slot,
  verify,
  verifyFully,
} from "./scenarios/steps.ts";
import type { Talk } from "./talk.ts";

const Appointments = z.object({ appointments: z.array(Appointment) });
const Enough = z.object({ result: z.literal("enough") });
const Overlapping = z.object({ result: z.literal("already") });
const Taken = z.object({ result: z.literal("taken"), slots: z.array(Slot) });
const dayMs = 86_400_000;

/** The child's details, and the caller's own. */
const verifyParent = async (talk: Talk, parent: { name: string; phone: string }): Promise<ToolReply> => {
  const { given, family, birthDate, phone } = talk.patient;
  const child = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone };
  talk.assistant("May I have your child's full name, date of birth and a phone number on file?");
  talk.caller(`${given} ${family}, born ${birthDate}, and the number is ${phone}.`);
  await talk.useTool("verifyPatientIdentity", { ...child, callingFor: "child" });
  talk.caller(`I'm ${parent.name}, and my own number is ${parent.phone}.`);
  return talk.useTool("verifyPatientIdentity", { ...child, callingFor: "child", callerName: parent.name, callerPhone: parent.phone });
};

const ordinals = ["first", "second", "third"];
const maxDays = 4;
const maxRefusals = 3;

/** Books the first slot at which the patient is free. A patient with too many appointments cancels one first. */
export const bookFirst = async (talk: Talk): Promise<Appointment | undefined> => {
  let refused = 0;
  for (let day = 0, wish: object = {}; day < maxDays; day++) {
    const slots = await findSlots(talk, day === 0 ? "What openings do you have?" : "And later?", wish);
    let last: Slot | undefined;
    for (let offers = slots, nth = 0, slot = offers[0]; slot; slot = offers[nth]) {
      talk.caller(`The ${ordinals[nth] ?? "last"} one, please.`);
      const reply = await bookAt(talk, slot);
      const isFull = z.safeParse(Enough, reply.found).success;
      const { ok, found } = isFull && (await cancelOne(talk)) ? await bookAt(talk, slot) : reply;
      const booked = ok ? z.safeParse(Booked, found).data?.appointment : undefined;
      if (booked) talk.changed({ what: "booked", appointmentId: booked.appointmentId });
      if (booked) return booked;
      const instead = z.safeParse(Taken, found).data?.slots;
      if (!instead && !z.safeParse(Overlapping, found).success) return undefined;
      last = slot;
      [offers, nth] = instead ? [instead, 0] : [offers, nth + 1];
      if (instead && ++refused > maxRefusals) return undefined;
    }
    if (!last) return undefined;
    wish = { date: new Date(Date.parse(last.start) + dayMs).toISOString().slice(0, 10) };
  }
  return undefined;
};

const bookAt = (talk: Talk, { slotId }: Slot): Promise<ToolReply> => talk.useTool("scheduleAppointment", { action: "book", slotId });

const cancelOne = async (talk: Talk): Promise<boolean> => {
  talk.caller("Then please cancel my last one.");
  const { found } = await talk.useTool("scheduleAppointment", { action: "list" });
  const last = z.safeParse(Appointments, found).data?.appointments.at(-1);
  if (!last) return false;
  const { appointmentId } = last;
  const { ok } = await talk.useTool("scheduleAppointment", { action: "cancel", appointmentId });
  if (ok) talk.changed({ what: "cancelled", appointmentId });
  return ok;
};

const someAppointments = async (talk: Talk): Promise<Appointment[]> => {
  const { ok, found } = await talk.useTool("scheduleAppointment", { action: "list" });
  if (!ok) return [];
  const listed = z.safeParse(Appointments, found).data?.appointments ?? [];
  if (listed.length > 0) return listed;
  const booked = await bookFirst(talk);
  return booked ? [booked] : [];
};

const otherTime = (slots: Slot[], { start }: Appointment): Slot | undefined =>
  slots.find((slot) => Date.parse(slot.start) !== Date.parse(start)) ?? slots[0];

const book: Script = async (talk) => {
  greet(talk, "Hi, I'd like to make an appointment.");
  if (!(await verify(talk)).ok || !(await bookFirst(talk))) return endWithoutResult(talk);
  talk.caller("Perfect, thank you. Goodbye.");
  return done("The caller booked an appointment.");
};

const guardian: Script = async (talk) => {
  greet(talk, "Hi, I need an appointment for my child.");
  const { parent } = talk.patient;
  if (!parent || !(await verifyParent(talk, parent)).ok || !(await bookFirst(talk))) return endWithoutResult(talk);
  talk.caller("Perfect, thank you. Goodbye.");
  return done("A parent booked an appointment for a child.");
};

const reschedule: Script = async (talk) => {
  greet(talk, "Hi, I need to move my appointment.");
  if (!(await verify(talk)).ok) return endWithoutResult(talk);
  const [old] = await someAppointments(talk);
  const slots = old ? await findSlots(talk, "What else do you have?") : [];
  const slot = old && otherTime(slots, old);
  if (!slot) return endWithoutResult(talk);
  talk.caller(`The ${ordinals[slots.indexOf(slot)] ?? "last"} one works better for me.`);
  const { ok, found } = await talk.useTool("scheduleAppointment", {
    action: "reschedule",
    appointmentId: old.appointmentId,
    slotId: slot.slotId,
  });
  const moved = ok ? z.safeParse(Booked, found).data?.appointment : undefined;
  if (!moved) return endWithoutResult(talk);
  talk.changed({ what: "rescheduled", appointmentId: moved.appointmentId });
  talk.caller("Thank you. Goodbye.");
  return done("The caller moved an appointment.");
};

const Confirm = z.object({ result: z.literal("confirm"), appointment: Appointment });
const Which = z.object({ result: z.literal("which"), appointments: z.tuple([Appointment], Appointment) });

/** The caller names none, so the agent reads it back, or asks which. */
const askWhichToCancel = async (talk: Talk): Promise<{ appointmentId: string; words: string } | undefined> => {
  const { found } = await talk.useTool("scheduleAppointment", { action: "cancel" });
  const only = z.safeParse(Confirm, found).data?.appointment;
  const [first] = z.safeParse(Which, found).data?.appointments ?? [];
  if (only) return { appointmentId: only.appointmentId, words: "Yes, please." };
  return first && { appointmentId: first.appointmentId, words: "The first one, please." };
};

const cancel: Script = async (talk) => {
  greet(talk, "Hi, I have to cancel my appointment.");
  if (!(await verify(talk)).ok) return endWithoutResult(talk);
  const asked = (await askWhichToCancel(talk)) ?? ((await bookFirst(talk)) && (await askWhichToCancel(talk)));
  if (!asked) return endWithoutResult(talk);
  const { appointmentId, words } = asked;
  talk.caller(words);
  const { ok } = await talk.useTool("scheduleAppointment", { action: "cancel", appointmentId });
  if (!ok) return endWithoutResult(talk);
  talk.changed({ what: "cancelled", appointmentId });
  talk.caller("Thank you. Goodbye.");
  return done("The caller canceled an appointment.");
};

const Medications = z.object({ medications: z.array(z.object({ name: z.string() })) });

const refill: Script = async (talk) => {
  greet(talk, "Hi, I'm nearly out of my medication.");
  if (!(await verifyFully(talk)).ok) return endWithoutResult(talk);
  const { found } = await talk.useTool("getMedicationHistoryFhir", { activeOnly: true });
  const [medication] = z.safeParse(Medications, found).data?.medications ?? [];
  if (!medication) return endWithoutResult(talk);
  talk.caller(`Could I get a refill of the ${medication.name}?`);
  const { ok } = await talk.useTool("sendCommunicationFhir", {
    category: "refill_request",
    medicationName: medication.name,
    message: `The patient is nearly out of ${medication.name} and asks for a refill.`,
  });
  if (!ok) return endWithoutResult(talk);
  talk.caller("Thank you. Goodbye.");
  return done("The caller asked for a refill, and the care team was told.");
};

const clinical: Script = async (talk) => {
  greet(talk, "Hi, I'd like to know what my last results were.");
  if (!(await verifyFully(talk)).ok) return endWithoutResult(talk);
  if (!(await talk.useTool("getPatientClinicalData", {})).ok) return endWithoutResult(talk);
  talk.caller("That's all I wanted to know. Goodbye.");
  return done("The caller asked about their record and was told.");
};

const insurance: Script = async (talk) => {
  greet(talk, "Hi, is my insurance still on file with you?");
  if (!(await verifyFully(talk)).ok) return endWithoutResult(talk);
  if (!(await talk.useTool("verifyInsurance", {})).ok) return endWithoutResult(talk);
  talk.caller("All right, thank you. Goodbye.");
  return done("The caller asked about insurance and was told what is on file.");
};

const wrongPerson: Script = async (talk) => {
  const { given, family } = talk.patient;
  greet(talk, `Hi, I'm calling about ${given} ${family}.`);
  talk.assistant("May I have the date of birth, and one more detail on file?");
  talk.caller("Born January 1st, 1901, and the zip code is 00000.");
  await talk.useTool("verifyPatientIdentity", { firstName: given, lastName: family, dateOfBirth: "1901-01-01", zipCode: "00000" });
  talk.caller("Never mind. Just tell me what you have on file.");
  await talk.useTool("getPatientInfo", {});
  talk.caller("Then I'll call back.");
  return notDone("The caller could not be verified and learned nothing.");
};

const lead: Script = async (talk) => {
  greet(talk, "Hi, do you take new patients?");
  talk.assistant("The office can tell you and call you back. May I have your name and your number?");
  talk.caller("Sure: Robin Newcome, 617 555 0168. Afternoons are best.");
  const { ok } = await talk.useTool("logRoutingEvent", {
    reason: "new patient",
    outcome: "callback",
    callerName: "Robin Newcome",
    callbackNumber: "617 555 0168",
    leadReason: "new_patient",
    note: "Afternoons are best.",
  });
  if (!ok) return endWithoutResult(talk);
  talk.caller("Great. Goodbye.");
  return done("A caller who wants to become a patient left a name and a number.");
};

const Desks = z.object({ destinations: z.array(z.object({ phone: z.string() })) });

const transfer: Script = async (talk) => {
  greet(talk, "I'd like to speak to a person, please.");
  const { found } = await talk.useTool("logRoutingEvent", { reason: "wants to speak with a person", outcome: "transferred" });
  const [desk] = z.safeParse(Desks, found).data?.destinations ?? [];
  if (!desk) return endWithoutResult(talk);
  await talk.transfer(desk.phone);
  return done("The caller asked for a person and was connected.");
};

const Known = z.object({ answers: z.array(z.object({ topic: z.enum(["hours", "parking", "insurance"]) })).check(z.minLength(1)) });

/** The agent asks which of several offices is meant where the platform's address names none. */
const WhichOffice = z.object({ offices: z.tuple([z.string()], z.string()) });

const officeFacts: Script = async (talk) => {
  greet(talk, "Hi, are you open today, and where do I park?");
  const topic = "are you open today, and where do I park";
  const told = await talk.useTool("getOfficeInfo", { topic });
  const [location] = z.safeParse(WhichOffice, told.found).data?.offices ?? [];
  if (location) talk.caller(`The ${location}, please.`);
  const visit = location ? await talk.useTool("getOfficeInfo", { topic, location }) : told;
  talk.caller("And do you take Aetna?");
  const insurance = await talk.useTool("getOfficeInfo", { topic: "do you take Aetna" });
  if (![visit, insurance].every(({ ok, found }) => ok && z.safeParse(Known, found).success)) return endWithoutResult(talk);
  talk.caller("Great, thank you. Goodbye.");
  return done("The caller asked about the office and was told.");
};

export const scenarios = {
  book,
  reschedule,
  cancel,
  "second-offer": secondOffer,
  "wrong-choice": wrongChoice,
  spanish: bookInSpanish,
  "female-doctor": femaleDoctor,
  emergency,
  "emergency-spanish": emergencyInSpanish,
  "after-hours": afterHours,
  refill,
  clinical,
  insurance,
  lead,
  "wrong-person": wrongPerson,
  guardian,
  transfer,
  "office-facts": officeFacts,
} satisfies Record<string, Script>;
export type ScenarioName = keyof typeof scenarios;
