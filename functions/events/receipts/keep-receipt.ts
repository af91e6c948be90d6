import type { Receipt } from "@vitaline/aws";
import { Id, retentionDays } from "@vitaline/contract";
import { contactOf, optOutBy, outcomeRanks } from "@vitaline/messages";
import { endAfter, keys, update, type MessageRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { inTenant } from "../../lib/context.ts";

const Ref = z.object({ tenantId: Id, messageId: Id });

/**
 * Notes what became of a message's delivery, beside what its sending is projected to: whichever comes first, the row ends the same, and
 * so it does when a receipt comes twice or after a later one. Whoever bounced or complained gets no more. One write unit, or up to three.
 */
export async function keepReceipt(ctx: PlatformContext, { ref, channel, to, outcome }: Receipt): Promise<void> {
  const { data } = z.safeParse(Ref, ref);
  if (!data) return ctx.log("warn", "receipt of an unknown message", { operation: `${channel} ${outcome}` });
  const { tenantId, messageId } = data;
  const contact = contactOf(channel, to);
  if (contact && (outcome === "bounced" || outcome === "complained"))
    await optOutBy(inTenant(ctx, tenantId), outcome, { channel, contact });
  const outcomeRank = outcomeRanks[outcome];
  // Where it comes before what it tells of: the shortest there is, until the projection puts the tenant's own in its place
  const expiresAt = endAfter(ctx.clock().getTime(), retentionDays[0]);
  const change = { set: { outcome, outcomeRank }, setOnce: { expiresAt } };
  const noted = await ctx.platform
    .inTenant(tenantId)
    .note<MessageRow>(update<MessageRow>(keys.message(messageId), change, { lessThanOrAbsent: { outcomeRank } }));
  ctx.log("info", "message.receipt", { tenantId, operation: `${channel} ${outcome}`, code: noted ? "noted" : "known" });
}
