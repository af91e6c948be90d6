import { MessageChannel } from "@vitaline/contract";
import * as z from "zod/mini";
import { hintOf } from "@vitaline/messages";
import { Email, Phone } from "../patient/contact-fields.ts";
import { maybeOneOf, maybeSaid } from "../sdk/arguments.ts";

const actions = ["send", "opt_out", "opt_in"] as const;
const purposes = ["appointment_confirmation", "appointment_reminder", "follow_up", "directions", "callback", "general"] as const;

export const fieldsFor = (channel: MessageChannel) =>
  z.object({
    action: maybeOneOf(actions).check(
      z.describe("send a message, or opt the contact out of messages or in again when the caller asks for that; send unless told"),
    ),
    purpose: maybeOneOf(purposes).check(z.describe("What the message is about; the clinic's own words for it are sent")),
    appointmentId: maybeSaid().check(z.describe("The appointment it tells of, by the id that scheduleAppointment gave")),
    to: channel === "sms" ? Phone : Email,
    message: maybeSaid(480).check(z.describe("Words of your own, only where the clinic allows them; leave out otherwise")),
  });
export type Input = z.output<ReturnType<typeof fieldsFor>>;

/** What it is for, where that was not said. */
export const purposeOf = ({ purpose, appointmentId, message }: Input): (typeof purposes)[number] =>
  purpose ?? (appointmentId && !message ? "appointment_confirmation" : "general");

/** Whether it tells of an appointment. */
export const tellsOfVisit = (input: Input): boolean => (input.action ?? "send") === "send" && purposeOf(input).startsWith("appointment_");

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
