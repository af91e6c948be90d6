import * as z from "zod/mini";
import { Id, Instant, PageQuery } from "../http/fields.ts";
import { routes } from "../http/route.ts";

export const MessageChannel = z.enum(["sms", "email"]);
export type MessageChannel = z.infer<typeof MessageChannel>;

/** The purpose decides the text. */
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
 * `queued`: waits until the office opens. `sent`: accepted by the mail or text service. `unknown`: the service did not answer;
 * it is not sent again.
 */
export const SendingStatus = z.enum(["queued", "sent", "failed", "opted_out", "unknown"]);
export type SendingStatus = z.infer<typeof SendingStatus>;

/**
 * The delivery receipt. `delayed`: still being tried. `delivered`: reached the recipient's mail server or carrier.
 * `undeliverable`: the carrier gave up. `bounced`: no such recipient. `complained`: marked as unwanted.
 */
export const DeliveryOutcome = z.enum(["delayed", "delivered", "undeliverable", "bounced", "complained"]);
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>;

/** The sending status, then the delivery outcome. */
export const MessageStatus = z.enum([...SendingStatus.options, ...DeliveryOutcome.options]);
export type MessageStatus = z.infer<typeof MessageStatus>;

/** A message to a patient, without address and text. */
export const Message = z.object({
  id: Id,
  createdAt: Instant,
  channel: MessageChannel,
  purpose: MessagePurpose,
  status: MessageStatus,
  /** Why it was not sent, or may not have been; otherwise null. */
  code: z.nullable(z.string()),
  /** When a queued message will be sent; otherwise null. */
  sendAt: z.nullable(Instant),
  /** null: a reminder. */
  callId: z.nullable(z.string()),
  officeId: z.nullable(Id),
});
export type Message = z.infer<typeof Message>;

export const messages = routes({
  listMessages: {
    method: "GET",
    path: "/api/tenant/messages",
    auth: "tenant_admin",
    summary: "Messages to patients and their delivery, newest first; the next page is in Link",
    query: PageQuery,
    response: z.array(Message),
  },
});
