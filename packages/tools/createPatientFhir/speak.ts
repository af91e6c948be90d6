import type { Phrasing } from "../sdk/phrasing.ts";
import type { Output } from "./schema.ts";

export function speak({ result }: Output, { say, offerOffice: office }: Phrasing): string {
  switch (result) {
    case "received":
      return say({
        en: "Thank you, the clinic has your details now, and the office will be in touch to complete the registration. What else can I do for you?",
        es: "Gracias, la clínica ya tiene sus datos, y el consultorio se comunicará con usted para completar el registro. ¿En qué más le puedo ayudar?",
      });
    case "once":
      return say({
        en: `I can only take down one new patient in a call. ${office}`,
        es: `Solo puedo registrar a un paciente nuevo por llamada. ${office}`,
      });
    case "limit":
      return say({
        en: `I can't take down any more new patients at the moment. ${office}`,
        es: `En este momento no puedo registrar a más pacientes nuevos. ${office}`,
      });
    case "unsupported":
      return say({
        en: "I can't register new patients here myself, but I can have the office call you back to do it. Shall I?",
        es: "Yo no puedo registrar pacientes nuevos aquí, pero el consultorio puede llamarle para hacerlo. ¿Le parece bien?",
      });
  }
}
