import { MessageChannel } from "@vitaline/contract";
import * as z from "zod/mini";
import { contactHint } from "@vitaline/messages";
import { Email, Phone } from "../patient/contact-fields.ts";
import { optionalEnum, optionalResourceId, optionalText } from "../sdk/arguments.ts";

const actions = ["send", "opt_out", "opt_in"] as const;
const purposes = ["appointment_confirmation", "appointment_reminder", "follow_up", "directions", "callback", "general"] as const;

export const inputFor = (channel: MessageChannel) =>
  z.object({
    action: optionalEnum(actions).check(z.describe("send unless told")),
    purpose: optionalEnum(purposes).check(z.describe("What it is about")),
    appointmentId: optionalResourceId().check(z.describe("The appointment, by scheduleAppointment's id")),
    to: channel === "sms" ? Phone : Email,
    message: optionalText(480).check(z.describe("Custom text, only if the clinic allows it; otherwise omit")),
  });
export type Input = z.output<ReturnType<typeof inputFor>>;

export const purposeOf = ({ purpose, appointmentId, message }: Input): (typeof purposes)[number] =>
  purpose ?? (appointmentId && !message ? "appointment_confirmation" : "general");

export const isAboutVisit = (input: Input): boolean => (input.action ?? "send") === "send" && purposeOf(input).startsWith("appointment_");

/** Contacts are masked: the last two digits of a number, the first letter of an address. */
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
  /** ISO 8601, for a queued message. */
  sendAt: z.optional(z.string()),
  timeZone: z.optional(z.string()),
  /** The channel to use in place of one that is switched off. */
  instead: z.optional(MessageChannel),
});
export type Output = z.output<typeof Output>;

export const outputFor = (channel: MessageChannel, result: Output["result"], to?: string): Output => ({
  result,
  sent: result === "sent",
  channel,
  ...(to === undefined ? {} : { [channel === "sms" ? "endsIn" : "startsWith"]: contactHint(channel, to) }),
});
