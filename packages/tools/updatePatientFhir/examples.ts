import type { Example } from "../sdk/define-tool.ts";
import { addressQuestions, contactQuestions, personQuestions, type Questions } from "../speech/questions.ts";
import type { Output } from "./schema.ts";

export const questions = {
  ...personQuestions,
  ...contactQuestions,
  ...addressQuestions,
  phoneNumber: {
    en: "What's the new phone number, email or address?",
    es: "¿Cuál es el nuevo teléfono, correo o dirección?",
  },
  phoneType: { en: "Is that a cell phone, a home phone or a work phone?", es: "¿Es un celular, un teléfono de casa o uno del trabajo?" },
  preferredContact: {
    en: "Would you rather be reached by phone or by email?",
    es: "¿Prefiere que le contacten por teléfono o por correo?",
  },
} as const satisfies Questions;

export const examples: readonly Example<Output>[] = [
  { situation: "One detail was changed", output: { result: "updated", changed: ["phone"] } },
  { situation: "Everything was changed", output: { result: "updated", changed: ["phone", "email", "address", "preference"] } },
  { situation: "The new value is on file already", output: { result: "unchanged" } },
  { situation: "The caller wants to change a name or date of birth", output: { result: "in_person" } },
  { situation: "The limit of changes a day", output: { result: "enough" } },
];
