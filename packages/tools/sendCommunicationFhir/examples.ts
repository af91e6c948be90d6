import type { Example } from "../sdk/define-tool.ts";
import type { Questions } from "../speech/questions.ts";
import { categories, type Output } from "./schema.ts";

export const questions = {
  category: {
    en: "Is this about a refill, an appointment, a bill or a question for the care team?",
    es: "¿Es sobre un resurtido, una cita, una factura o una pregunta para el equipo médico?",
  },
  message: { en: "What would you like me to pass on?", es: "¿Qué desea que les comunique?" },
  medicationName: { en: "Which medication do you need?", es: "¿Qué medicamento necesita?" },
  urgency: { en: "Can this wait, or is it urgent?", es: "¿Puede esperar o es urgente?" },
} as const satisfies Questions;

export const examples: readonly Example<Output>[] = [
  ...categories.map((category) => ({
    situation: `Sent: ${category.replaceAll("_", " ")}`,
    output: { result: "sent", category, urgent: false } as const,
  })),
  { situation: "Sent as urgent", output: { result: "sent", category: "clinical_question", urgent: true } },
  { situation: "The limit of messages in a call", output: { result: "limit", category: "other", urgent: false } },
];
