import { MessageChannel } from "@vitaline/contract";
import { hintOf } from "@vitaline/messages";
import * as z from "zod/mini";
import { sayTime } from "../scheduleAppointment/local-time.ts";
import { sentences } from "../sentences.ts";

/** What came of it, and to which contact: of a number its last two digits, of an address its first letter. */
export const Output = z.object({
  result: z.enum([
    "sent",
    "already",
    "queued",
    "failed",
    "unknown",
    "opted_out",
    "stopped",
    "resumed",
    "own_words",
    "switched_off",
    "no_appointment",
    "no_words",
    "never_open",
    "bounced",
    "abroad",
    "just_changed",
    "too_many",
  ]),
  sent: z.boolean(),
  channel: MessageChannel,
  endsIn: z.optional(z.string()),
  startsWith: z.optional(z.string()),
  /** Of one that is queued: an instant in ISO 8601. */
  sendAt: z.optional(z.string()),
  /** In which the office's doors and texts tell it. */
  timeZone: z.optional(z.string()),
  /** Of one that is switched off: in which other way the clinic writes. */
  instead: z.optional(MessageChannel),
});
export type Output = z.output<typeof Output>;

export const outputFor = (channel: MessageChannel, result: Output["result"], to?: string): Output => ({
  result,
  sent: result === "sent",
  channel,
  ...(to === undefined ? {} : { [channel === "sms" ? "endsIn" : "startsWith"]: hintOf(channel, to) }),
});

const names: Record<MessageChannel, string> = { sms: "text message", email: "email" };

/** One line for a voice. */
export function speak({ result, channel, endsIn, startsWith, sendAt = "", timeZone, instead }: Output, zone: string): string {
  const name = names[channel];
  const place = channel === "sms" ? `the number ending in ${endsIn ?? ""}` : `the address that starts with ${startsWith ?? ""}`;
  switch (result) {
    case "sent":
      return `I've sent ${channel === "sms" ? "a" : "an"} ${name} to ${place}.`;
    case "already":
      return `I've sent that to ${place} already, so I won't send it twice. If nothing arrives, please call the office.`;
    case "queued":
      return `The office is closed right now, so the ${name} to ${place} will go out on ${sayTime(sendAt, timeZone ?? zone)}.`;
    case "failed":
      return sentences.message_failed;
    case "unknown":
      return `I couldn't confirm that the ${name} went out, so I won't send it twice. If nothing arrives, please call the office.`;
    case "opted_out":
      return sentences.opted_out;
    case "stopped":
      return `All right, nothing more will be sent to ${place}.`;
    case "resumed":
      return `All right, messages may be sent to ${place} again.`;
    case "own_words":
      return "I can't send that in my own words, but I can send the appointment details, directions, or the office's number.";
    case "switched_off":
      return instead
        ? `The clinic doesn't send ${name}s, but I can send ${instead === "sms" ? "a" : "an"} ${names[instead]} instead.`
        : "The clinic doesn't send messages. I can connect you with the office instead.";
    case "no_appointment":
      return "I don't see an upcoming appointment that I could send you.";
    case "no_words":
      return "I don't have that on file for the clinic, so I can't send it. I can connect you with the office instead.";
    case "never_open":
      return `The office has no opening hours at the moment in which the ${name} could go out. I can connect you with the office instead.`;
    case "bounced":
      return `The last message to ${place} came back, so I won't send another one there. Please ask the office to check it.`;
    case "abroad":
      return `The clinic doesn't send ${name}s to numbers of that country. I can connect you with the office instead.`;
    case "just_changed":
      return `${place[0]?.toUpperCase()}${place.slice(1)} was only just changed, so I can't send anything there yet. I can connect you with the office instead.`;
    case "too_many":
      return "I've sent as many messages as I can for now, so I can't send another one. I can connect you with the office instead.";
  }
}
