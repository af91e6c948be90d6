import * as z from "zod/mini";
import type { Ending, ToolReply } from "../phone-call.ts";
import type { Talk } from "../talk.ts";
import { anotherDayInSpanish, sayTimeInSpanish, sayWeekdayInSpanish } from "./spoken.ts";
import {
  Booked,
  done,
  endWithoutResult,
  findSlots,
  greet,
  inSpanish,
  notDone,
  type Script,
  Slot,
  verify,
  verifyInSpanish,
} from "./steps.ts";

const bookAs = (talk: Talk, choice: object): Promise<ToolReply> => talk.useTool("scheduleAppointment", { action: "book", ...choice });

type Words = { thanks: string; goodbye?: string };
const inEnglish: Words = { thanks: "Perfect, thank you. Goodbye." };

/** Done only if the booked time is the chosen one. */
const endAfter = (talk: Talk, { ok, found }: ToolReply, chosen: Slot, { thanks, goodbye } = inEnglish): Ending => {
  const booked = ok ? z.safeParse(Booked, found).data?.appointment : undefined;
  if (!booked) return endWithoutResult(talk, goodbye);
  talk.changed({ what: "booked", appointmentId: booked.appointmentId });
  talk.caller(thanks);
  return Date.parse(booked.start) === Date.parse(chosen.start)
    ? done("The caller booked the appointment that was chosen.")
    : notDone("Another time than the chosen one was booked.");
};

export const secondOffer: Script = async (talk) => {
  greet(talk, "Hi, I'd like to make an appointment.");
  const slots = (await verify(talk)).ok ? await findSlots(talk, "What openings do you have?") : [];
  const [, second] = slots;
  if (!second) return endWithoutResult(talk);
  talk.caller("The second one, please.");
  return endAfter(talk, await bookAs(talk, { slotId: "the second one" }), second);
};

export const wrongChoice: Script = async (talk) => {
  greet(talk, "Hi, I'd like to make an appointment.");
  const [first] = (await verify(talk)).ok ? await findSlots(talk, "What openings do you have?") : [];
  if (!first) return endWithoutResult(talk);
  talk.caller("The fifth one, please.");
  const asked = await bookAs(talk, { slotId: "the fifth one" });
  if (asked.ok || !asked.speech.endsWith("?")) return notDone("A time that was not offered was not asked about.");
  talk.caller("Sorry, I meant the first one.");
  return endAfter(talk, await bookAs(talk, { slotId: "the first one" }), first);
};

const Choice = z.object({ result: z.literal("choose") });

const { spokenIn } = inSpanish;

/** No slot is named by its id: the day, the time and, if several doctors are free, the doctor are in the caller's words. */
export const bookInSpanish: Script = async (talk) => {
  greet(talk, "Buenos días, quisiera una cita.", inSpanish.greeting);
  const wish = { date: anotherDayInSpanish(), time: "a las nueve y media", ...spokenIn };
  const slots = (await verifyInSpanish(talk)).ok ? await findSlots(talk, `¿Tiene ${wish.date} ${wish.time}?`, wish) : [];
  const slot = slots.find(({ start }) => /T09:30/.test(start)) ?? slots[0];
  if (!slot) return endWithoutResult(talk, inSpanish.goodbye);
  const said = { date: sayWeekdayInSpanish(slot.start), time: sayTimeInSpanish(slot.start), ...spokenIn };
  talk.caller(`Sí, ${said.date} ${said.time}, por favor.`);
  let reply = await bookAs(talk, said);
  if (z.safeParse(Choice, reply.found).success && slot.practitioner !== undefined) {
    talk.caller(`Con ${slot.practitioner}, por favor.`);
    reply = await bookAs(talk, { ...said, practitioner: slot.practitioner });
  }
  return endAfter(talk, reply, slot, { thanks: "Perfecto, muchas gracias. Hasta luego.", goodbye: inSpanish.goodbye });
};

const Found = z.object({ slots: z.array(Slot), instead: z.optional(z.string()) });

/** A time with another doctor is not taken. */
export const femaleDoctor: Script = async (talk) => {
  greet(talk, "Hi, I'd like an appointment, with a woman doctor please.");
  if (!(await verify(talk)).ok) return endWithoutResult(talk);
  talk.caller("When does one have time?");
  const { found } = await talk.useTool("scheduleAppointment", { action: "find", practitioner: "a woman doctor" });
  const { slots: [first] = [], instead } = z.safeParse(Found, found).data ?? {};
  if (!first || instead !== undefined) return endWithoutResult(talk);
  talk.caller("The first one, please.");
  return endAfter(talk, await bookAs(talk, { slotId: "the first one" }), first);
};
