import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import { errorSentence } from "./sentences.ts";

/** By the name of an argument: the question for one that is missing or cannot be read. */
export type Questions = Readonly<Record<string, Bilingual>>;

/** Details of a patient that several tools ask for. */
export const personQuestions = {
  firstName: { en: "May I have your first and last name, please?", es: "¿Me permite su nombre y apellido, por favor?" },
  lastName: { en: "And your last name, please?", es: "¿Y su apellido, por favor?" },
  dateOfBirth: { en: "What's your date of birth, with the year?", es: "¿Cuál es su fecha de nacimiento, con el año?" },
} as const satisfies Questions;

export const contactQuestions = {
  phoneNumber: { en: "What's your phone number, with the area code?", es: "¿Cuál es su número de teléfono, con el código de área?" },
  email: { en: "What's your email address?", es: "¿Cuál es su correo electrónico?" },
} as const satisfies Questions;

export const addressQuestions = {
  street: { en: "What's your street address, with the house number?", es: "¿Cuál es su dirección, con calle y número?" },
  city: { en: "What city do you live in?", es: "¿En qué ciudad vive?" },
  state: { en: "What state do you live in?", es: "¿En qué estado vive?" },
  zipCode: { en: "What's your five-digit zip code?", es: "¿Cuál es su código postal de cinco dígitos?" },
  address: { en: "What's your street address, with the house number?", es: "¿Cuál es su dirección, con calle y número?" },
} as const satisfies Questions;

/** The question for the first of the fields: a caller answers one at a time. */
export function questionFor(questions: Questions, fields: Readonly<Record<string, string>>, phrasing: Phrasing): string {
  const first = Object.keys(fields).find((field) => Object.hasOwn(questions, field));
  const question = first === undefined ? undefined : questions[first];
  return question ? phrasing.say(question) : errorSentence("invalid_arguments", phrasing);
}
