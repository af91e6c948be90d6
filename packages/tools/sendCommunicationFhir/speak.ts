import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import type { Category, Output } from "./schema.ts";

/** None of them promises that the request is granted. */
const confirmations: Record<Category, Bilingual> = {
  refill_request: {
    en: "I've passed your refill request to the care team. They'll review it during office hours; it isn't approved yet.",
    es: "Le pasé su solicitud de resurtido al equipo médico. La van a revisar en horario de atención; todavía no está aprobada.",
  },
  clinical_question: {
    en: "I've passed your question to the care team. They'll review it.",
    es: "Le pasé su pregunta al equipo médico. La van a revisar.",
  },
  appointment_request: {
    en: "I've passed your appointment request to the office. They'll review it; nothing is booked yet.",
    es: "Le pasé su solicitud de cita al consultorio. La van a revisar; todavía no hay nada agendado.",
  },
  billing_question: {
    en: "I've passed your billing question to the office. They'll look into it.",
    es: "Le pasé su pregunta sobre la factura al consultorio. La van a revisar.",
  },
  callback_request: { en: "I've passed on that you'd like to be called back.", es: "Avisé que desea que le devuelvan la llamada." },
  other: {
    en: "I've passed your message to the care team. They'll review it.",
    es: "Le pasé su mensaje al equipo médico. Lo van a revisar.",
  },
};

export function speak({ result, category, urgent }: Output, { say, offerOffice: office }: Phrasing): string {
  if (result === "limit")
    return say({
      en: `I've passed on as many messages as I can in one call. ${office}`,
      es: `Ya pasé todos los mensajes que puedo en una llamada. ${office}`,
    });
  return [say(confirmations[category]), ...(urgent ? [say({ en: "I've marked it as urgent.", es: "Lo marqué como urgente." })] : [])].join(
    " ",
  );
}
