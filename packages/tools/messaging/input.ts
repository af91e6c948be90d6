import type { MessageChannel } from "@vitaline/contract";
import * as z from "zod/mini";
import { Email, Phone } from "../contact-fields.ts";
import { maybeOneOf, maybeSaid } from "../parse-args.ts";

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
