import { Id, MessageChannel, MessagePurpose, SendingStatus } from "@vitaline/contract";
import { countOfCall, countOfTenant, rowKeptSeconds } from "@vitaline/messages";
import { keys, update, type CountRow, type MessageRow } from "@vitaline/store";
import type { TenantKey } from "@vitaline/store/keys.ts";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";

export type MessageFact = { tenantId: string; row: MessageRow };

const countedSeconds = 86_400;
/** What was refused counts for nothing. */
const taken = new Set<SendingStatus>(["queued", "sent", "unknown"]);
/** That it left is the last word, whoever says so first. */
const ranks: Record<SendingStatus, number> = { queued: 1, unknown: 2, failed: 3, opted_out: 3, sent: 4 };

const MessageAudit = z.object({
  at: z.iso.datetime(),
  code: z.optional(z.string()),
  callKey: z.optional(z.string()),
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
  const { at, code, callKey, detail } = z.parse(MessageAudit, image);
  const { messageId: id, ...told } = detail;
  const expiresAt = Math.floor(Date.parse(at) / 1000) + rowKeptSeconds;
  const why = told.status === "failed" || told.status === "unknown" || told.status === "opted_out" ? code : undefined;
  return { tenantId, row: { id, at, ...told, code: why, callKey, rank: ranks[told.status], expiresAt } };
}

/**
 * Writes what became of messages into the list of them, one write each, and counts those that are new to it, by which too many are
 * refused. Written again, or in another order, list and counts are the same.
 */
export async function noteMessages(ctx: PlatformContext, messages: readonly MessageFact[]): Promise<void> {
  const fresh: MessageFact[] = [];
  for (const { tenantId, row } of messages) {
    const { id, at, expiresAt, ...told } = row;
    const change = { set: told, setOnce: { id, at, expiresAt } };
    const noted = await ctx.platform
      .inTenant(tenantId)
      .note<MessageRow>(update<MessageRow>(keys.message(id), change, { lessThanOrAbsent: { rank: row.rank } }));
    if (noted?.at === at && taken.has(row.status)) fresh.push({ tenantId, row });
  }
  await count(ctx, fresh);
}

/** What a call, and a tenant in an hour, had sent or put down to be sent: one write for each of them in a batch. */
async function count(ctx: PlatformContext, messages: readonly MessageFact[]): Promise<void> {
  const counts = new Map<string, { tenantId: string; key: TenantKey<CountRow>; count: number; at: string }>();
  for (const { tenantId, row } of messages) {
    const { at, callKey } = row;
    for (const key of [countOfTenant(new Date(at)), ...(callKey ? [countOfCall(callKey)] : [])]) {
      const { pk, sk } = key.at(tenantId);
      const before = counts.get(`${pk}|${sk}`)?.count ?? 0;
      counts.set(`${pk}|${sk}`, { tenantId, key, count: before + 1, at });
    }
  }
  for (const { tenantId, key, count, at } of counts.values()) {
    const expiresAt = Math.floor(Date.parse(at) / 1000) + countedSeconds;
    await ctx.platform.inTenant(tenantId).note(update<CountRow>(key, { add: { count }, set: { expiresAt } }));
  }
}
