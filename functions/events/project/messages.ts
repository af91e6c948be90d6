import { allDone } from "@vitaline/core";
import { Id, MessageChannel, MessagePurpose, SendingStatus } from "@vitaline/contract";
import { countOfCall, countOfPatient, countOfTenant } from "@vitaline/messages";
import { endAfter, keys, tenantRetention, update, type MessageRow, type StatsRow } from "@vitaline/store";
import type { Key } from "@vitaline/store/keys.ts";
import type { PlatformContext, PlatformStore } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { inTenant } from "../../lib/context.ts";
import { addOnce } from "./add-once.ts";
import type { StatsWrite } from "./stats-rows.ts";

export type MessageFact = { tenantId: string; row: Omit<MessageRow, "expiresAt">; patientId?: string | undefined };

const countedSeconds = 86_400;
/** What was refused counts for nothing. */
const taken = new Set<SendingStatus>(["queued", "sent", "unknown"]);
/** That it left is the last word, whoever says so first. */
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

/** The message that an audit row tells of; undefined where it tells of none. Throws when it is not what it seems. */
export function messageOf(tenantId: string, image: Record<string, unknown>): MessageFact | undefined {
  if ((image["detail"] as Record<string, unknown> | undefined)?.["messageId"] === undefined) return undefined;
  const { at, code, callKey, resourceType, resourceId, detail } = z.parse(MessageAudit, image);
  const { messageId: id, ...told } = detail;
  const why = told.status === "failed" || told.status === "unknown" || told.status === "opted_out" ? code : undefined;
  const patientId = resourceType === "Patient" ? resourceId : undefined;
  return { tenantId, patientId, row: { id, at, ...told, code: why, callKey, rank: ranks[told.status] } };
}

/**
 * Writes what became of messages into the list of them, one write each, and counts those that are new to it, by which too many are
 * refused. Written again, in part, or in another order, list and counts are the same: a row says which stream record it is counted by.
 */
export async function noteMessages(
  ctx: PlatformContext,
  messages: readonly { position: string; message: MessageFact }[],
  lane: string,
): Promise<void> {
  const counts = new Map<string, StatsWrite>();
  for (const { position, message } of messages) {
    const { tenantId, row, patientId } = message;
    const store = ctx.platform.inTenant(tenantId);
    const countedBy = `${lane}#${position}`;
    const { messages: days } = await tenantRetention(inTenant(ctx, tenantId));
    const noted = await noteMessage(store, { ...row, expiresAt: endAfter(row.at, days) }, countedBy);
    if (noted) await keepFor(store, noted, days);
    if (noted?.countedBy !== countedBy) continue;
    const expiresAt = Math.floor(Date.parse(row.at) / 1000) + countedSeconds;
    const at = new Date(row.at);
    const places = [
      countOfTenant(at),
      ...(row.callKey ? [countOfCall(row.callKey)] : []),
      ...(patientId ? [countOfPatient(patientId, at)] : []),
    ];
    for (const key of places) {
      const { pk, sk } = key.at(tenantId);
      const write = counts.get(`${pk}|${sk}`) ?? { store, key: key as Key<StatsRow>, parts: [], expiresAt };
      write.parts.push({ position, counts: { count: 1 } });
      counts.set(`${pk}|${sk}`, write);
    }
  }
  const now = ctx.clock();
  await allDone([...counts.values()].map((write) => addOnce(write, lane, now)));
}

/** A receipt that came first has put an end of its own there. */
const keepFor = async (store: PlatformStore, { id, at, expiresAt: was }: MessageRow, days: number): Promise<void> => {
  const expiresAt = endAfter(at, days);
  if (was !== expiresAt) await store.note(update<MessageRow>(keys.message(id), { set: { expiresAt } }, { exists: true }));
};

/** The message's row, whoever wrote it. One write; one read besides where a later word stands there already. */
async function noteMessage(store: PlatformStore, row: MessageRow, countedBy: string): Promise<MessageRow | undefined> {
  const { id, at, expiresAt, ...told } = row;
  const change = { set: told, setOnce: { id, at, expiresAt, ...(taken.has(row.status) ? { countedBy } : {}) } };
  const noted = await store.note<MessageRow>(update<MessageRow>(keys.message(id), change, { lessThanOrAbsent: { rank: row.rank } }));
  return noted ?? store.get(keys.message(id));
}
