import type { DeliveryOutcome, Message } from "@vitaline/contract";
import { keys, type MessageRow, type Page, type TenantContext } from "@vitaline/store";

/**
 * Which word about a delivery is the last, in whatever order they arrive. A mail that was delivered may still come back, or be marked
 * as unwanted; an automatic answer to it looks like one that was given up, and is none.
 */
export const outcomeRanks: Record<DeliveryOutcome, number> = { delayed: 1, undeliverable: 2, delivered: 3, bounced: 4, complained: 5 };

const usualPage = 50;

/** A page of the tenant's messages, newest first. One Query. */
export async function listMessages(
  ctx: TenantContext,
  { limit = usualPage, cursor }: { limit?: number; cursor?: string },
): Promise<Page<Message>> {
  const { rows, next } = await ctx.store.query<MessageRow>(keys.tenantPartitions.messages(ctx.tenantId), {
    descending: true,
    limit,
    cursor,
  });
  // A receipt may be there before the message that it is for; the page is one shorter then.
  return { rows: rows.filter(({ at }) => at !== undefined).map(asMessage), next };
}

const asMessage = ({ id, at, channel, purpose, status, outcome, code, sendAt, callKey, officeId }: MessageRow): Message => ({
  id,
  createdAt: at,
  channel,
  purpose,
  status: outcome ?? status,
  code: outcome ? null : (code ?? null),
  sendAt: status === "queued" && !outcome ? (sendAt ?? null) : null,
  callId: callKey ?? null,
  officeId: officeId ?? null,
});
