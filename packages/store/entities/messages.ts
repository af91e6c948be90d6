import type { DeliveryOutcome, Language, MessageChannel, MessagePurpose, SendingStatus } from "@vitaline/contract";
import { sha256In } from "@vitaline/core";
import { partitions, tenantPartitions } from "./partitions.ts";
import { tenantEntity } from "./entity.ts";

/** A message to a patient, without its address and text. */
export type MessageRow = {
  id: string;
  at: string;
  channel: MessageChannel;
  purpose: MessagePurpose;
  status: SendingStatus;
  /** Why it was not sent. */
  code?: string;
  /** When a deferred message will be sent. */
  sendAt?: string;
  providerMessageId?: string;
  callKey?: string;
  officeId?: string;
  /** Orders the reports about it; they may arrive in any order. */
  rank: number;
  /** Shard and position of the stream record that counted it toward its call's and its tenant's limits. */
  countedBy?: string;
  /** The delivery receipt, which may arrive before the rest of the row. `outcomeRank` orders receipts. */
  outcome?: DeliveryOutcome;
  outcomeRank?: number;
  expiresAt: number;
};
/** Sorted by id: newest last. */
export const message = tenantEntity<MessageRow, [id: string]>({
  entity: "message",
  writeKind: "projected",
  lifetime: "expires",
  primaryKey: (tenantId, id) => ({ pk: tenantPartitions.messages(tenantId), sk: id }),
});

/**
 * Recent messages to a contact; a sender reserves its message here first, so that each is sent once and not too many are.
 * `key`: the part of the message's key that distinguishes it here. `subject`: keyed hash of the visit and purpose.
 */
export type SentToRow = { sends: { key: string; messageId: string; atMs: number; subject?: string }[]; version: number; expiresAt: number };
/** `contact` as `normalizeContact` of packages/messages normalizes it. */
export const sentTo = tenantEntity<SentToRow, [contact: string]>({
  entity: "sentTo",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, contact) => ({ pk: tenantPartitions.sentTo(tenantId, sha256In("sent-to", tenantId, contact)), sk: "SEND" }),
});

/** A contact that opted out; with `reason` it bounced or complained. A bounced contact may be used again after `expiresAt`. */
export type OptOutRow = { channel: MessageChannel; at: string; reason?: "bounced" | "complained"; expiresAt?: number };
/** `contact` as `normalizeContact` of packages/messages normalizes it. */
export const optOut = tenantEntity<OptOutRow, [contact: string]>({
  entity: "optOut",
  writeKind: "bookkeeping",
  lifetime: "may expire",
  primaryKey: (tenantId, contact) => ({ pk: tenantPartitions.optOuts(tenantId), sk: sha256In("opt-out", tenantId, contact) }),
});

/** A deferred message or reminder. `tries`: failed attempts at the EHR or AWS. */
export type OutgoingRow = {
  tenantId: string;
  id: string;
  dueAt: string;
  officeId?: string;
  callKey?: string;
  tries?: number;
  expiresAt: number;
} & (
  | {
      kind: "message";
      /** The hashed part of the message's key; `id` is its position among the few messages deferred for the contact. */
      key: string;
      messageId: string;
      channel: MessageChannel;
      purpose: MessagePurpose;
      /** Recipient and variables. */
      sealed: string;
    }
  | {
      kind: "reminder";
      providerId: string;
      appointmentId: string;
      /** Spoken in the call that booked it. */
      language?: Language;
      /** The booked start; a rescheduled appointment gets another reminder. */
      start: string;
      /** `dueAt` is the time to send; before planning, the time to choose one. */
      planned?: true;
      /** The sent message and the tried channels; `dueAt` is then the time to check its delivery. */
      sent?: { messageId: string; tried: MessageChannel[] };
    }
);
/** Over all tenants; see due.ts for the shards. */
export const outgoing = tenantEntity<OutgoingRow, [shard: string, dueAt: string, kind: string, id: string]>({
  entity: "outgoing",
  writeKind: "bookkeeping",
  lifetime: "expires",
  primaryKey: (tenantId, shard, dueAt, kind, id) => ({ pk: partitions.outgoing(shard), sk: `${dueAt}#${kind}#${tenantId}#${id}` }),
});
