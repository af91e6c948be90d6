import * as z from "zod/mini";
import type { Ending, ToolReply } from "../phone-call.ts";
import type { Talk } from "../talk.ts";
import { sayDate, sayNumber } from "./spoken.ts";

export type Script = (talk: Talk) => Promise<Ending>;

export const Slot = z.object({ slotId: z.string(), start: z.string(), practitioner: z.optional(z.string()) });
export type Slot = z.infer<typeof Slot>;
export const Appointment = z.object({ appointmentId: z.string(), start: z.string() });
export type Appointment = z.infer<typeof Appointment>;

const Offers = z.object({ slots: z.array(Slot) });
export const Booked = z.object({ appointment: Appointment });

export const done = (summary: string): Ending => ({ summary, success: true });
export const notDone = (summary: string): Ending => ({ summary, success: false });

export const inSpanish = {
  greeting: "Gracias por llamar. ¿En qué puedo ayudarle?",
  /** For every tool, as the agent hears the caller speak. */
  spokenIn: { language: "es" },
  goodbye: "Bueno, llamaré más tarde. Hasta luego.",
};

export const endWithoutResult = ({ caller }: Talk, goodbye = "All right, I'll try again later. Goodbye."): Ending => {
  caller(goodbye);
  return notDone("The caller could not be helped.");
};

export const greet = ({ assistant, caller }: Talk, wish: string, greeting = "Thank you for calling. How can I help you?"): void => {
  assistant(greeting);
  caller(wish);
};

export const verify = async (talk: Talk): Promise<ToolReply> => {
  const { given, family, birthDate, phone } = talk.patient;
  talk.assistant("May I have your full name, date of birth and phone number?");
  talk.caller(`I'm ${given} ${family}, born ${sayDate(birthDate)}, and my number is ${sayNumber(phone)}.`);
  return talk.useTool("verifyPatientIdentity", { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone });
};

/** The date of birth is passed on in the caller's words. */
export const verifyInSpanish = async (talk: Talk): Promise<ToolReply> => {
  const { given, family, birthDate, phone } = talk.patient;
  const born = sayDate(birthDate, "es");
  talk.assistant("¿Me dice su nombre completo, su fecha de nacimiento y su número de teléfono?");
  talk.caller(`Soy ${given} ${family}, nací el ${born} y mi número es ${sayNumber(phone)}.`);
  return talk.useTool("verifyPatientIdentity", {
    firstName: given,
    lastName: family,
    dateOfBirth: born,
    phoneNumber: phone,
    ...inSpanish.spokenIn,
  });
};

/** Four matching details, which access to the record requires. */
export const verifyFully = async (talk: Talk): Promise<ToolReply> => {
  const { given, family, birthDate, phone, zip } = talk.patient;
  talk.assistant("May I have your full name, date of birth, phone number and zip code?");
  talk.caller(`I'm ${given} ${family}, born ${sayDate(birthDate)}. My number is ${sayNumber(phone)} and my zip code is ${zip}.`);
  const claim = { firstName: given, lastName: family, dateOfBirth: birthDate, phoneNumber: phone, zipCode: zip };
  return talk.useTool("verifyPatientIdentity", claim);
};

export const findSlots = async (talk: Talk, words: string, wish: object = {}): Promise<Slot[]> => {
  talk.caller(words);
  const { found } = await talk.useTool("scheduleAppointment", { action: "find", ...wish });
  return z.safeParse(Offers, found).data?.slots ?? [];
};
