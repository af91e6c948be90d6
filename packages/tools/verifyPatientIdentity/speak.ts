import type { Phrasing } from "../sdk/phrasing.ts";
import { errorSentence } from "../speech/sentences.ts";
import type { Output } from "./schema.ts";

export function speak({ verified, level, about, codeSentTo, attemptsLeft, further, firstName, scope }: Output, phrasing: Phrasing): string {
  const { say, handOverSentence } = phrasing;
  if (codeSentTo) return sayCodeSent(codeSentTo, phrasing);
  if (verified && further)
    return level === 2
      ? say({ en: "Thank you, that's all I need.", es: "Gracias, es todo lo que necesito." })
      : say({
          en: "Thank you, I have that already. Please tell me another detail that's on file.",
          es: "Gracias, ese dato ya lo tengo. Por favor dígame otro dato de su expediente.",
        });
  if (verified && scope === "no_clinical")
    return say({
      en: "Thank you. I can help with appointments, insurance and messages to the office.",
      es: "Gracias. Puedo ayudarle con citas, seguro y mensajes para el consultorio.",
    });
  if (verified && scope === "appointments")
    return say({ en: "Thank you. I can help with appointments.", es: "Gracias. Puedo ayudarle con las citas." });
  if (verified)
    return firstName ? say({ en: `Thanks, ${firstName}.`, es: `Gracias, ${firstName}.` }) : say({ en: "Thank you.", es: "Gracias." });
  if (about === "somebody_else")
    return say({
      en: `I can't help with a call about someone else, or about anyone under eighteen. ${handOverSentence}`,
      es: `No puedo atender asuntos de otra persona ni de un menor de edad. ${handOverSentence}`,
    });
  if (about === "patient_details")
    return say({
      en: "What are the patient's full name and date of birth, and a phone number or zip code on file?",
      es: "¿Cuáles son el nombre completo y la fecha de nacimiento del paciente, y un teléfono o código postal registrado?",
    });
  if (about === "caller_details")
    return say({
      en: "May I have your own full name, and your phone number or date of birth as the clinic has it?",
      es: "¿Me dice su propio nombre completo, y su teléfono o fecha de nacimiento como los tiene la clínica?",
    });
  if (about === "on_hold")
    return `${say({ en: "I can't help with this myself.", es: "De esto no me puedo encargar yo." })} ${handOverSentence}`;
  if (attemptsLeft > 0) return `${errorSentence("identity_not_verified", phrasing)} ${sayAgain(about, attemptsLeft === 1, phrasing)}`;
  return about === "code"
    ? `${errorSentence("identity_not_verified", phrasing)} ${handOverSentence}`
    : errorSentence("identity_locked", phrasing);
}

function sayCodeSent({ channel, hint }: NonNullable<Output["codeSentTo"]>, { say }: Phrasing): string {
  const phone = { en: `the phone ending in ${hint}`, es: `al teléfono que termina en ${hint}` };
  const address = { en: `the email address starting with the letter ${hint}`, es: `al correo que empieza con la letra ${hint}` };
  const to = channel === "sms" ? phone : address;
  return say({
    en: `I've sent a six-digit code to ${to.en}. Please read it to me when you have it.`,
    es: `Le envié un código de seis dígitos ${to.es}. Por favor léamelo cuando lo tenga.`,
  });
}

function sayAgain(about: Output["about"], isLastTry: boolean, { say }: Phrasing): string {
  const lastTry = isLastTry ? say({ en: "This is the last try:", es: "Este es el último intento:" }) : "";
  const begin = (text: string): string => (isLastTry ? `${lastTry} ${text}` : text.charAt(0).toUpperCase() + text.slice(1));
  if (about === "code")
    return begin(say({ en: "please read me the six digits once more.", es: "por favor léame los seis dígitos una vez más." }));
  if (about === "detail")
    return begin(
      say({
        en: "please tell me that once more, or another detail that's on file.",
        es: "por favor repítame ese dato, o dígame otro de su expediente.",
      }),
    );
  return begin(
    say({
      en: "please check your full name, date of birth and the other details, and tell me them once more.",
      es: "por favor revise su nombre completo, su fecha de nacimiento y los demás datos, y repítamelos.",
    }),
  );
}
