import { parseReceipt, type Receipt } from "@vitaline/aws";
import { Id, retentionDays, type DeliveryOutcome } from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { normalizeContact, optOutAfterReceipt } from "@vitaline/messages";
import { expiresAfter, keys, update, type MessageRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import * as z from "zod/mini";
import { eventContext, inTenant, type EventInvocation } from "../../lib/context/platform-context.ts";

/**
 * The higher rank wins, regardless of the order of receipts. A delivered mail may still bounce or be marked as spam; an automatic
 * reply to it looks like a failed delivery, and is not one.
 */
const outcomeRanks: Record<DeliveryOutcome, number> = { delayed: 1, undeliverable: 2, delivered: 3, bounced: 4, complained: 5 };

/** Records delivery receipts of SES and AWS End User Messaging with their messages. */
export const handler = async (event: unknown, invocation: EventInvocation): Promise<void> => {
  const ctx = eventContext(invocation, "receipts");
  const receipts = topicMessages(event).map(parseReceipt);
  for (const receipt of receipts) if (receipt) await recordReceipt(ctx, receipt);
  const others = receipts.filter((receipt) => !receipt).length;
  if (others > 0) ctx.log("info", "receipt.not_ours", { count: others });
};

const TopicEvent = z.object({ Records: z.array(z.object({ Sns: z.object({ Message: z.string() }) })) });

/**
 * The messages published on the topic. AppError `invalid_request` for other events.
 * Source: "Using Lambda with Amazon SNS" in the AWS Lambda Developer Guide.
 */
function topicMessages(event: unknown): string[] {
  const { data } = z.safeParse(TopicEvent, event);
  if (!data) throw new AppError("invalid_request", "This is not an SNS event.");
  return data.Records.map(({ Sns }) => Sns.Message);
}

const Ref = z.object({ tenantId: Id, messageId: Id });

/**
 * Writes the outcome into the message's row. The result is independent of the order of receipts and the projection of the sending.
 * Addresses that bounced or complained are opted out. One to three write units.
 */
async function recordReceipt(ctx: PlatformContext, { ref, channel, to, outcome }: Receipt): Promise<void> {
  const { data } = z.safeParse(Ref, ref);
  if (!data) return ctx.log("warn", "receipt.unknown_message", { operation: `${channel} ${outcome}` });
  const { tenantId, messageId } = data;
  const contact = normalizeContact(channel, to);
  if (contact && (outcome === "bounced" || outcome === "complained"))
    await optOutAfterReceipt(inTenant(ctx, tenantId), outcome, { channel, contact });
  const outcomeRank = outcomeRanks[outcome];
  // If the receipt is first, the row gets the shortest period until the projection sets the tenant's own.
  const expiresAt = expiresAfter(ctx.clock().getTime(), retentionDays[0]);
  const change = { set: { outcome, outcomeRank }, setOnce: { expiresAt } };
  const written = await ctx.platform
    .inTenant(tenantId)
    .writeUnaudited<MessageRow>(update<MessageRow>(keys.message(messageId), change, { lessThanOrAbsent: { outcomeRank } }));
  const failed = outcome === "delivered" || outcome === "delayed" ? 0 : 1;
  ctx.log("info", "message.receipt", {
    tenantId,
    operation: `${channel} ${outcome}`,
    code: written ? "noted" : "known",
    channel,
    ...(written && outcome !== "delayed" ? { failed } : {}),
  });
}
