import { digest, type ErrorCode } from "@vitaline/core";
import type { MessageChannel, MessagePurpose, SendingStatus } from "@vitaline/contract";
import type { TenantRow } from "@vitaline/store";

/** The appointment that a message is about: no more of it than a calendar needs. */
export type Visit = {
  calendarId: string;
  start: string;
  end?: string;
  cancelled?: true;
  /** Grows with each change of the appointment: minutes of its last one, since 1970. */
  revision: number;
};

/** The same for one appointment of one record system, and says nothing of either. */
export const calendarIdOf = (providerId: string, appointmentId: string): string =>
  digest("calendar", providerId, appointmentId).slice(0, 32);

/** What is to be said to whom; `to` as contactOf spells it. A `message` stands in place of the clinic's own text. */
export type MessageRequest = { channel: MessageChannel; purpose: MessagePurpose; to: string; message?: string; visit?: Visit };

/** Whom and what a message concerns in which record system, so that it can be looked up again before it leaves. */
export type About = { providerId: string; patientId: string; appointmentId?: string };

/** `key` stands for this message, also when it is asked for again: by its first twenty signs, as of a digest. After `signal` nothing is tried any more. */
export type Asked = {
  key: string;
  tenant: TenantRow;
  officeId?: string | undefined;
  callKey?: string | undefined;
  request: MessageRequest;
  about?: About | undefined;
  signal?: AbortSignal | undefined;
};

/** Why a message was not taken, where its code alone does not say. */
export type Why = "no_words" | "never_open" | "switched_off" | "bounced" | "abroad";

/** What became of it. `sendAt`: an instant in ISO 8601, of one that is `queued`, which `timeZone` tells as the office does. */
export type Sent = {
  id: string;
  channel: MessageChannel;
  purpose: MessagePurpose;
  status: SendingStatus;
  /** This call has sent the same of the same visit already: nothing was sent now. */
  already?: true;
  code?: ErrorCode;
  why?: Why;
  sendAt?: string;
  timeZone?: string;
  providerMessageId?: string;
};

/** The same as the audit tells it; the list of messages is projected from these fields. */
export type MessageDetail = {
  messageId: string;
  channel: MessageChannel;
  purpose: MessagePurpose;
  status: SendingStatus;
  sendAt?: string;
  providerMessageId?: string;
};
export const messageDetail = ({ id, channel, purpose, status, sendAt, providerMessageId }: Sent): MessageDetail => ({
  messageId: id,
  channel,
  purpose,
  status,
  ...(sendAt ? { sendAt } : {}),
  ...(providerMessageId ? { providerMessageId } : {}),
});
