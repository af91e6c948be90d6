import { Id, MessageChannel, MessagePurpose, SendingStatus } from "@vitaline/contract";
import { callCounterKey, patientCounterKey, tenantCounterKey } from "@vitaline/messages";
import { expiresAfter, keys, tenantRetention, update, type MessageRow, type StatsRow } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { inTenant } from "../../../lib/context/platform-context.ts";
import type { Image } from "../../../lib/dynamodb-stream/stream-event.ts";
import type { CountedRecord } from "../stats/increment-exactly-once.ts";

export type MessageFact = { tenantId: string; row: Omit<MessageRow, "expiresAt">; patientId?: string | undefined };

const countedSeconds = 86_400;
/** Rejected messages do not count toward the limits. */
const countedStatuses = new Set<SendingStatus>(["queued", "sent", "unknown"]);
/** A status replaces those of lower rank, in any order of arrival. */
const ranks: Record<SendingStatus, number> = { queued: 1, unknown: 2, failed: 3, opted_out: 3, sent: 4 };

const MessageAudit = z.object({
  at: z.iso.datetime(),
  code: z.optional(z.string()),
  callKey: z.optional(z.string()),
  resourceType: z.optional(z.string()),
  resourceId: z.optional(z.string()),
  detail: z.object({
    messageId: Id,
    channel: MessageChannel,
    purpose: MessagePurpose,
    status: SendingStatus,
    sendAt: z.optional(z.iso.datetime()),
    providerMessageId: z.optional(z.string()),
    officeId: z.optional(Id),
  }),
});

/** The message that an audit row records, if it records one. Throws when the row is malformed. */
export function readMessage(tenantId: string, image: Image): MessageFact | undefined {
  if ((image["detail"] as Image | undefined)?.["messageId"] === undefined) return undefined;
  const { at, code, callKey, resourceType, resourceId, detail } = z.parse(MessageAudit, image);
  const { messageId: id, ...fields } = detail;
  const failureCode = fields.status === "failed" || fields.status === "unknown" || fields.status === "opted_out" ? code : undefined;
  const patientId = resourceType === "Patient" ? resourceId : undefined;
  return { tenantId, patientId, row: { id, at, ...fields, code: failureCode, callKey, rank: ranks[fields.status] } };
}

/**
 * Writes the messages' states into the list of messages, one write each. Returns what new messages add to the sending limits.
 * Repeatable in any order: each row stores the stream record that counts it.
 */
export async function projectMessages(
  ctx: PlatformContext,
  messages: readonly { position: string; message: MessageFact }[],
  shard: string,
): Promise<CountedRecord[]> {
  const counted: CountedRecord[] = [];
  for (const { position, message } of messages) {
    const { tenantId, row, patientId } = message;
    const store = ctx.platform.inTenant(tenantId);
    const countedBy = `${shard}#${position}`;
    const { messages: days } = await tenantRetention(inTenant(ctx, tenantId));
    const written = await writeMessage(store, { ...row, expiresAt: expiresAfter(row.at, days) }, countedBy);
    if (written) await correctExpiry(store, written, days);
    if (written?.countedBy !== countedBy) continue;
    const expiresAt = Math.floor(Date.parse(row.at) / 1000) + countedSeconds;
    const at = new Date(row.at);
    const counters = [
      tenantCounterKey(at),
      ...(row.callKey ? [callCounterKey(row.callKey)] : []),
      ...(patientId ? [patientCounterKey(patientId, at)] : []),
    ];
    counted.push({
      position,
      increments: counters.map((key) => ({ tenantId, key: key as Key<StatsRow>, counts: { count: 1 }, expiresAt })),
    });
  }
  return counted;
}

/** A receipt that arrived first has set its own expiry. */
const correctExpiry = async (store: PlatformStore, { id, at, expiresAt: current }: MessageRow, days: number): Promise<void> => {
  const expiresAt = expiresAfter(at, days);
  if (current !== expiresAt) await store.writeUnaudited(update<MessageRow>(keys.message(id), { set: { expiresAt } }, { exists: true }));
};

/** The message's row after the write. One write, and one read when the row already has a later status. */
async function writeMessage(store: PlatformStore, row: MessageRow, countedBy: string): Promise<MessageRow | undefined> {
  const { id, at, expiresAt, ...fields } = row;
  const change = { set: fields, setOnce: { id, at, expiresAt, ...(countedStatuses.has(row.status) ? { countedBy } : {}) } };
  const written = await store.writeUnaudited<MessageRow>(
    update<MessageRow>(keys.message(id), change, { lessThanOrAbsent: { rank: row.rank } }),
  );
  return written ?? store.get(keys.message(id));
}
