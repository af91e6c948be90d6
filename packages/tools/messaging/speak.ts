import { MessageChannel } from "@vitaline/contract";
import { sayTime } from "../speech/speech-text.ts";
import { sentences } from "../speech/sentences.ts";
import type { Output } from "./schema.ts";

const names: Record<MessageChannel, string> = { sms: "text message", email: "email" };

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
