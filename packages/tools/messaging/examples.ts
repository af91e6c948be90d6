import type { MessageChannel } from "@vitaline/contract";
import type { Example } from "../sdk/define-tool.ts";
import { contactQuestions } from "../speech/questions.ts";
import { Output, outputFor } from "./schema.ts";

export const questionsFor = (channel: MessageChannel) =>
  ({
    action: { en: "Shall I send you these messages, or stop them?", es: "¿Le envío estos mensajes o desea que ya no se le envíen?" },
    purpose: {
      en: "Would you like the appointment details, directions, or the office's number?",
      es: "¿Desea los datos de la cita, cómo llegar o el número del consultorio?",
    },
    appointmentId: { en: "On what day is the appointment?", es: "¿De qué día es la cita?" },
    to: contactQuestions[channel === "sms" ? "phoneNumber" : "email"],
    message: { en: "What would you like me to send?", es: "¿Qué desea que le envíe?" },
  }) as const;

const situations: Record<Output["result"], string> = {
  sent: "Sent",
  already: "Sent before",
  queued: "It waits for the office to open",
  failed: "Not sent",
  unknown: "It is not known whether it went out",
  opted_out: "The contact wants no messages",
  stopped: "The caller wants no more messages",
  resumed: "The caller wants messages again",
  own_words: "Own words are not allowed",
  switched_off: "The clinic sends nothing of the kind",
  no_appointment: "There is no appointment to send",
  no_words: "The clinic has no text for it",
  never_open: "The office never opens",
  bounced: "The last message came back",
  abroad: "A number of another country",
  just_changed: "The contact was changed by phone",
  too_many: "The limit of messages",
};

const to: Record<MessageChannel, string> = { sms: "+16175550177", email: "ada@example.com" };

export function examplesFor(channel: MessageChannel): readonly Example<Output>[] {
  const all = Output.shape.result.options.map((result): Example<Output> => {
    const queued = result === "queued" ? { sendAt: "2026-12-01T14:00:00Z", timeZone: "America/New_York" } : {};
    return { situation: situations[result], output: { ...outputFor(channel, result, to[channel]), ...queued } };
  });
  const instead = channel === "sms" ? "email" : "sms";
  return [...all, { situation: "The clinic sends it another way", output: { ...outputFor(channel, "switched_off"), instead } }];
}
