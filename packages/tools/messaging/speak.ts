import type { MessageChannel } from "@vitaline/contract";
import type { Bilingual, Phrasing } from "../sdk/phrasing.ts";
import { errorSentence } from "../speech/sentences.ts";
import type { Output } from "./schema.ts";

const one: Record<MessageChannel, Bilingual> = {
  sms: { en: "a text message", es: "un mensaje de texto" },
  email: { en: "an email", es: "un correo electrónico" },
};
const the: Record<MessageChannel, Bilingual> = {
  sms: { en: "the text message", es: "el mensaje de texto" },
  email: { en: "the email", es: "el correo electrónico" },
};
const many: Record<MessageChannel, Bilingual> = {
  sms: { en: "text messages", es: "mensajes de texto" },
  email: { en: "emails", es: "correos electrónicos" },
};

export function speak(
  { result, channel, endsIn = "", startsWith = "", sendAt = "", timeZone, instead }: Output,
  phrasing: Phrasing,
): string {
  const { say, onTime, offerOffice: office } = phrasing;
  const [aMessage, theMessage, messages] = [say(one[channel]), say(the[channel]), say(many[channel])];
  const number = { en: `the number ending in ${endsIn}`, es: `el número que termina en ${endsIn}` };
  const address = { en: `the address that starts with ${startsWith}`, es: `la dirección que empieza con ${startsWith}` };
  const place = say(channel === "sms" ? number : address);
  switch (result) {
    case "sent":
      return say({ en: `I've sent ${aMessage} to ${place}.`, es: `Le envié ${aMessage} a ${place}.` });
    case "already":
      return say({
        en: `I've sent that to ${place} already, so I won't send it twice. If nothing arrives, please call the office.`,
        es: `Ya lo envié a ${place}, así que no lo envío dos veces. Si no le llega nada, por favor llame al consultorio.`,
      });
    case "queued": {
      const when = onTime(sendAt, timeZone);
      return say({
        en: `The office is closed right now, so ${theMessage} to ${place} will go out ${when}.`,
        es: `El consultorio está cerrado en este momento, así que ${theMessage} a ${place} saldrá ${when}.`,
      });
    }
    case "failed":
      return errorSentence("message_failed", phrasing);
    case "unknown":
      return say({
        en: `I couldn't confirm that ${theMessage} went out, so I won't send it twice. If nothing arrives, please call the office.`,
        es: `No pude confirmar que ${theMessage} saliera, así que no lo envío dos veces. Si no le llega nada, por favor llame al consultorio.`,
      });
    case "opted_out":
      return errorSentence("opted_out", phrasing);
    case "stopped":
      return say({
        en: `All right, nothing more will be sent to ${place}.`,
        es: `De acuerdo, ya no se enviará nada más a ${place}.`,
      });
    case "resumed":
      return say({
        en: `All right, messages may be sent to ${place} again.`,
        es: `De acuerdo, se pueden volver a enviar mensajes a ${place}.`,
      });
    case "own_words":
      return say({
        en: "I can't send that in my own words, but I can send the appointment details, directions, or the office's number.",
        es: "No puedo enviarlo con mis propias palabras, pero sí los datos de la cita, cómo llegar o el número del consultorio.",
      });
    case "switched_off":
      return instead
        ? say({
            en: `The clinic doesn't send ${messages}, but I can send ${one[instead].en} instead.`,
            es: `La clínica no envía ${messages}, pero puedo enviarle ${one[instead].es}.`,
          })
        : say({ en: `The clinic doesn't send messages. ${office}`, es: `La clínica no envía mensajes. ${office}` });
    case "no_appointment":
      return say({
        en: "I don't see an upcoming appointment that I could send you.",
        es: "No veo ninguna cita próxima que pueda enviarle.",
      });
    case "no_words":
      return say({
        en: `I don't have that on file for the clinic, so I can't send it. ${office}`,
        es: `No tengo esa información de la clínica, así que no puedo enviarla. ${office}`,
      });
    case "never_open":
      return say({
        en: `The office has no opening hours in which ${theMessage} could go out. ${office}`,
        es: `El consultorio no tiene un horario en el que pueda salir ${theMessage}. ${office}`,
      });
    case "bounced":
      return say({
        en: `The last message to ${place} came back, so I won't send another one there. Please ask the office to check it.`,
        es: `El último mensaje a ${place} fue devuelto, así que no envío otro ahí. Por favor pida al consultorio que lo revise.`,
      });
    case "abroad":
      return say({
        en: `The clinic doesn't send ${messages} to numbers of that country. ${office}`,
        es: `La clínica no envía ${messages} a números de ese país. ${office}`,
      });
    case "just_changed":
      return say({
        en: `I can't send anything to ${place} yet, because it was only just changed. ${office}`,
        es: `Todavía no puedo enviar nada a ${place}, porque se acaba de cambiar. ${office}`,
      });
    case "too_many":
      return say({
        en: `I've sent as many messages as I can for now, so I can't send another one. ${office}`,
        es: `Por ahora ya envié todos los mensajes que puedo, así que no puedo enviar otro. ${office}`,
      });
  }
}
