import * as z from "zod/mini";
import { Id, Instant, PageQuery } from "../http/fields.ts";
import { routes } from "../http/route.ts";

export const MessageChannel = z.enum(["sms", "email"]);
export type MessageChannel = z.infer<typeof MessageChannel>;

/** What a message to a patient is for; it decides the text. */
export const MessagePurpose = z.enum([
  "appointment_confirmation",
  "appointment_reminder",
  "follow_up",
  "directions",
  "callback",
  "general",
  "one_time_code",
]);
export type MessagePurpose = z.infer<typeof MessagePurpose>;

/**
 * What came of sending a message. `queued` waits for the office to open; `sent` was taken by the mail or text service; of `unknown`
 * nobody knows whether it went out, and it is not sent again.
 */
export const SendingStatus = z.enum(["queued", "sent", "failed", "opted_out", "unknown"]);
export type SendingStatus = z.infer<typeof SendingStatus>;

/**
 * What was heard of a message after it left. `delayed` is still being tried; `delivered` reached the receiver's mail server or
 * carrier; `undeliverable` was given up for now; `bounced` has no such receiver; `complained` was marked as unwanted.
 */
export const DeliveryOutcome = z.enum(["delayed", "delivered", "undeliverable", "bounced", "complained"]);
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>;

/** The last word about a message: what came of sending it, until something is heard of its delivery. */
export const MessageStatus = z.enum([...SendingStatus.options, ...DeliveryOutcome.options]);
export type MessageStatus = z.infer<typeof MessageStatus>;

/** A message to a patient, without address and text. */
export const Message = z.object({
  id: Id,
  createdAt: Instant,
  channel: MessageChannel,
  purpose: MessagePurpose,
  status: MessageStatus,
  /** Why it was not sent, or may not have been; null when it was, or is still to be. */
  code: z.nullable(z.string()),
  /** When one that waits is to go; null for all others. */
  sendAt: z.nullable(Instant),
  /** The call that it came from; null for a reminder. */
  callId: z.nullable(z.string()),
  officeId: z.nullable(Id),
});
export type Message = z.infer<typeof Message>;

export const messages = routes({
  listMessages: {
    method: "GET",
    path: "/api/tenant/messages",
    auth: "tenant_admin",
    summary: "Messages to patients and what became of them, newest first; the next page is in Link",
    query: PageQuery,
    response: z.array(Message),
  },
});
