import type { Example } from "../sdk/define-tool.ts";
import { addressQuestions, contactQuestions, personQuestions, type Questions } from "../speech/questions.ts";
import type { Output } from "./schema.ts";

export const questions = {
  ...personQuestions,
  ...contactQuestions,
  ...addressQuestions,
  phoneNumber: { en: "What's the best phone number or email to reach you?", es: "¿Cuál es el mejor teléfono o correo para contactarle?" },
  gender: { en: "What gender should I note down?", es: "¿Qué género debo anotar?" },
} as const satisfies Questions;

export const examples: readonly Example<Output>[] = [
  { situation: "The clinic has the new patient's details", output: { result: "received" } },
  { situation: "A second new patient in one call", output: { result: "once" } },
  { situation: "The limit of registrations an hour", output: { result: "limit" } },
  { situation: "The record system takes no new patients", output: { result: "unsupported" } },
];
