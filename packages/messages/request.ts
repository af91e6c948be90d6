import { sha256In, type ErrorCode } from "@vitaline/core";
import type { Language, MessageChannel, MessagePurpose, SendingStatus } from "@vitaline/contract";
import type { TenantRow } from "@vitaline/store";

export type Visit = {
  calendarId: string;
  start: string;
  end?: string;
  cancelled?: true;
  /** The name of the place, which may differ from the office that was called. */
  place?: string;
  /** Time of the last change, in minutes since 1970. */
  revision: number;
};

/** A stable id that reveals neither the record system nor the appointment. */
export const calendarIdOf = (providerId: string, appointmentId: string): string =>
  sha256In("calendar", providerId, appointmentId).slice(0, 32);

/** `to`: as normalized by normalizeContact. `language`: the office's if absent. `message`: replaces the clinic's template. */
export type MessageRequest = {
  channel: MessageChannel;
  purpose: MessagePurpose;
  to: string;
  language?: Language | undefined;
  message?: string;
  visit?: Visit;
};

/** The patient and appointment in their record system, so that a deferred message can be checked before it is sent. */
export type MessageSubject = { providerId: string; patientId: string; appointmentId?: string };

/** `key`: the idempotency key, a digest; only its first 20 characters are used. `signal`: aborts the sending. */
export type SendRequest = {
  key: string;
  tenant: TenantRow;
  officeId?: string | undefined;
  callKey?: string | undefined;
  request: MessageRequest;
  about?: MessageSubject | undefined;
  /** Answered as any other, and neither sent nor kept. */
  isTest?: boolean | undefined;
  signal?: AbortSignal | undefined;
};

/** Detail of the code `not_doable`. */
export type FailureReason = "no_words" | "never_open" | "switched_off" | "bounced" | "abroad";

/** The result. `sendAt` (ISO 8601) and the office's `timeZone` are set for a `queued` message. */
export type SendResult = {
  id: string;
  channel: MessageChannel;
  purpose: MessagePurpose;
  status: SendingStatus;
  /** The call has already sent the same message about the visit, so nothing was sent. */
  already?: true;
  code?: ErrorCode;
  why?: FailureReason;
  sendAt?: string;
  timeZone?: string;
  providerMessageId?: string;
};

/** Audit detail; the list of messages is projected from these fields. */
export type MessageDetail = {
  messageId: string;
  channel: MessageChannel;
  purpose: MessagePurpose;
  status: SendingStatus;
  sendAt?: string;
  providerMessageId?: string;
};
export const messageDetail = ({ id, channel, purpose, status, sendAt, providerMessageId }: SendResult): MessageDetail => ({
  messageId: id,
  channel,
  purpose,
  status,
  ...(sendAt ? { sendAt } : {}),
  ...(providerMessageId ? { providerMessageId } : {}),
});
