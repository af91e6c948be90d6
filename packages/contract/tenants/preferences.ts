import * as z from "zod/mini";
import { line, optionalLine } from "../http/fields.ts";
import type { Language } from "../language.ts";
import { BusinessHours, HoursChange } from "./business-hours.ts";

/** Default texts to patients. In Spanish, {time} has its article: "las 2:30 p.m.", "la 1:00 p.m.". */
export const defaultMessageTexts: Readonly<Record<Language, Readonly<Record<keyof MessageTemplates, string>>>> = {
  en: {
    appointmentConfirmation: "Your appointment at {office} is booked for {date} at {time}. To change it, please call {phone}.",
    appointmentReminder: "A reminder of your appointment at {office} on {date} at {time}. To change it, please call {phone}.",
    followUp: "Thank you for calling {office}. If you need anything else, please call {phone}.",
  },
  es: {
    appointmentConfirmation: "Su cita en {office} está reservada para el {date} a {time}. Para cambiarla, llame al {phone}.",
    appointmentReminder: "Le recordamos su cita en {office} el {date} a {time}. Para cambiarla, llame al {phone}.",
    followUp: "Gracias por llamar a {office}. Si necesita algo más, llame al {phone}.",
  },
};

const placeholder = /\{(\w+)\}/g;
/** A Spanish time at the end of a sentence brings a period of its own: "a las 2:30 p.m." */
const doublePeriod = /(?<=\b[ap]\.\s?m)\.\./g;
/** Replaces {names}. A sentence with an unknown name is left out. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string | undefined>>): string =>
  template
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => [...sentence.matchAll(placeholder)].every(([, name = ""]) => Object.hasOwn(values, name) && values[name]))
    .map((sentence) => sentence.replace(placeholder, (_, name: string) => values[name] ?? "").replace(doublePeriod, "."))
    .join(" ")
    .trim();

export const ContactMethod = z.enum(["email", "sms", "phone"]);

/** How a tenant wants to be contacted. */
export const ContactPreferences = z.strictObject({
  defaultMethod: ContactMethod,
  emailEnabled: z.boolean(),
  smsEnabled: z.boolean(),
  phoneEnabled: z.boolean(),
  businessHours: BusinessHours,
});
export type ContactPreferences = z.infer<typeof ContactPreferences>;

/** Absent keeps the value; the default method must be enabled afterwards. */
export const ContactPreferencesChange = z.strictObject({
  ...z.partial(ContactPreferences).shape,
  businessHours: z.optional(HoursChange),
});
export type ContactPreferencesChange = z.infer<typeof ContactPreferencesChange>;

/** Digits and common separators. Other characters, such as an extension, could not be dialed. */
const telephone = /^\+?[\d\s()./-]+$/;
const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, "");
const StaffPhone = line(40, "Enter a phone number").check(
  z.refine((phone) => telephone.test(phone) && digitsOf(phone).length >= 3, "Must be a telephone number, without an extension"),
  z.refine(
    (phone) => digitsOf(phone) !== "911",
    "Must not be 911: staff take these calls, and callers in an emergency are told to hang up and dial it",
  ),
  z.describe("A telephone number of at least 3 digits, without an extension; not 911."),
);
const destination = {
  label: line(100, "Enter a label"),
  phone: StaffPhone,
  reasons: z._default(z.array(line(60)).check(z.maxLength(20)), []),
};

/** A transfer destination. No `reasons`: any reason. No `hours`: the office's. */
export const StaffDestination = z.strictObject({ ...destination, hours: z.optional(z.nullable(BusinessHours)) });
export type StaffDestination = z.infer<typeof StaffDestination>;
export const NewStaffDestination = z.strictObject({ ...destination, hours: z.optional(z.nullable(HoursChange)) });

const ofOffice = ["office", "address", "phone"];
const ofVisit = [...ofOffice, "date", "time"];

/** A text without unknown placeholders: their sentences would not be sent. */
const template = (known: string[]) => {
  const names = known.map((name) => `{${name}}`);
  const rule = `Placeholders are ${names.join(", ")}, in single braces`;
  const [any, stray] = [new RegExp(names.join("|"), "g"), /[{}]/];
  return optionalLine(1000).check(
    z.refine((text) => text === undefined || !stray.test(text.replaceAll(any, "")), rule),
    z.describe(`${rule}. Blank: inherited.`),
  );
};

/** Texts to patients by purpose; blank: inherited. */
export const MessageTemplates = z.strictObject({
  appointmentConfirmation: template(ofVisit),
  appointmentReminder: template(ofVisit),
  followUp: template(ofOffice),
});
export type MessageTemplates = z.infer<typeof MessageTemplates>;

/** In responses; null: not set. */
export const MessageTexts = z.record(z.keyof(MessageTemplates), z.nullable(z.string()));
export type MessageTexts = z.infer<typeof MessageTexts>;
