import type { MessageTemplates } from "./preferences.ts";

/** Texts to patients that stand where neither the office nor the tenant has written one. */
export const standardTexts: Readonly<Record<keyof MessageTemplates, string>> = {
  appointmentConfirmation: "Your appointment at {office} is booked for {date} at {time}. To change it, please call {phone}.",
  appointmentReminder: "A reminder of your appointment at {office} on {date} at {time}. To change it, please call {phone}.",
  followUp: "Thank you for calling {office}. If you need anything else, please call {phone}.",
};

const placeholder = /\{(\w+)\}/g;
/** Fills in {names}. A sentence that names what is not known is left out. */
export const filled = (template: string, values: Readonly<Record<string, string | undefined>>): string =>
  template
    .split(/(?<=[.!?])\s+/)
    .filter((sentence) => [...sentence.matchAll(placeholder)].every(([, name = ""]) => Object.hasOwn(values, name) && values[name]))
    .map((sentence) => sentence.replace(placeholder, (_, name: string) => values[name] ?? ""))
    .join(" ")
    .trim();
