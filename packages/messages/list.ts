import type { Message } from "@vitaline/contract";
import { keys, type MessageRow, type Page, type TenantContext } from "@vitaline/store";

const pageSize = 50;

/** A page of the tenant's messages, newest first. One Query. */
export async function listMessages(
  ctx: TenantContext,
  { limit = pageSize, cursor }: { limit?: number; cursor?: string },
): Promise<Page<Message>> {
  const { rows, next } = await ctx.store.query<MessageRow>(keys.tenantPartitions.messages(ctx.tenantId), {
    descending: true,
    limit,
    cursor,
  });
  // A delivery receipt may arrive before its message is projected; its row has no time yet.
  return { rows: rows.filter(({ at }) => at !== undefined).map(toMessage), next };
}

const toMessage = ({ id, at, channel, purpose, status, outcome, code, sendAt, callKey, officeId }: MessageRow): Message => ({
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
