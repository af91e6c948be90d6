import { abandonedAfterMs, keys, put, type SentToRow, type TenantContext } from "@vitaline/store";
import { isContactLimited, limits } from "./limits.ts";

/** Longer than any request is repeated. */
const keptSeconds = 30 * 86_400;
/** More than the number of concurrent sends to one contact. */
const maxAttempts = 20;

type Send = SentToRow["sends"][number];
type ReservedMessage = { to: string; key: string; subject?: string | undefined };

export const shortKey = (key: string): string => key.slice(0, 20);

export const findSend = (row: SentToRow | undefined, key: string): Send | undefined =>
  row?.sends.find((send) => send.key === shortKey(key));

/** An earlier send about the same visit in the same call. */
export const findDuplicate = (row: SentToRow | undefined, subject: string | undefined): Send | undefined =>
  row?.sends.find((send) => subject !== undefined && send.subject === subject);

/**
 * Reserves the right to send a message by adding it to the contact's row, given as last read. One write unit. "in_progress" if it was
 * reserved before, the earlier send if that is a duplicate, "limit_reached" if the contact has reached its limit. The reservation precedes the
 * sending and is released only if the message certainly was not sent, so after a crash it is not sent again: a missing message is
 * better than a duplicate.
 */
export async function reserveSend(
  ctx: TenantContext,
  { to, key, subject }: ReservedMessage,
  messageId: string,
  read: SentToRow | undefined,
): Promise<"reserved" | "in_progress" | "limit_reached" | Send> {
  let row = read;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const atMs = ctx.clock().getTime();
    const reserved = findSend(row, key);
    // The first write may have succeeded and only its answer was lost.
    if (reserved) return reserved.messageId === messageId ? "reserved" : "in_progress";
    const duplicate = findDuplicate(row, subject);
    if (duplicate) return duplicate;
    const sends = row?.sends ?? [];
    if (isContactLimited(sends, atMs)) return "limit_reached";
    const send = { key: shortKey(key), messageId, atMs, ...(subject ? { subject } : {}) };
    if (await replaceSends(ctx, to, row, [...sends, send].slice(-limits.toContactADay))) return "reserved";
    row = await ctx.store.get<SentToRow>(keys.sentTo(to));
  }
  return "in_progress";
}

export async function releaseSend(ctx: TenantContext, { to, key }: ReservedMessage): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await ctx.store.get<SentToRow>(keys.sentTo(to));
    if (!findSend(row, key)) return;
    const others = row?.sends.filter((send) => send.key !== shortKey(key)) ?? [];
    if (await replaceSends(ctx, to, row, others)) return;
  }
}

/** The process that reserved the message may still be sending it. */
export const isInFlight = (ctx: TenantContext, { atMs }: Send): boolean => ctx.clock().getTime() - atMs < abandonedAfterMs;

/** False if the row has changed since it was read. */
async function replaceSends(ctx: TenantContext, to: string, read: SentToRow | undefined, sends: Send[]): Promise<boolean> {
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + keptSeconds;
  const row: SentToRow = { sends, version: (read?.version ?? 0) + 1, expiresAt };
  const unchanged = read ? { equals: { version: read.version } } : { exists: false };
  return (await ctx.store.writeUnaudited(put(keys.sentTo(to), row, unchanged))) !== undefined;
}
