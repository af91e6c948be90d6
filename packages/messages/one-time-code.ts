import { AppError, newId } from "@vitaline/core";
import type { Language, MessageChannel } from "@vitaline/contract";
import { keys, type TenantContext, type TenantRow } from "@vitaline/store";
import { normalizeContact, isTextAllowed } from "./contacts.ts";
import { deliver, outcomeOf } from "./deliver.ts";
import { isChannelEnabled } from "./preferences.ts";
import { messageDetail, type MessageDetail } from "./request.ts";
import { texts } from "./texts.ts";

export type CodeToSend = {
  channel: MessageChannel;
  to: string;
  code: string;
  callKey: string;
  language?: Language;
  isTest?: boolean | undefined;
  signal?: AbortSignal;
};

/**
 * Sends a one-time code to a contact on file, at any hour, as the caller is waiting for it; a test call sends none, and has no `detail`. No
 * write; `detail` belongs in the audit row of the tool run, from which the list of messages is projected. An unknown result counts as
 * sent. AppError `contact_not_on_file` for an invalid contact, `not_doable` if the channel is off or messages bounced, `opted_out`,
 * `message_failed`.
 */
export async function sendOneTimeCode(
  ctx: TenantContext,
  tenant: TenantRow,
  { channel, to: given, code, callKey, language = "en", isTest, signal }: CodeToSend,
): Promise<{ detail?: MessageDetail }> {
  const to = normalizeContact(channel, given);
  if (!to) throw new AppError("contact_not_on_file", "The contact on file is not valid.");
  if (!isChannelEnabled(tenant, channel)) throw new AppError("not_doable", "The clinic does not use this channel.");
  if (channel === "sms" && !isTextAllowed(tenant, to))
    throw new AppError("not_doable", "The clinic does not text numbers in that country.");
  const optedOut = () => new AppError("opted_out", "The contact has opted out of messages.");
  const optOut = await ctx.store.get(keys.optOut(to));
  if (optOut?.reason === "bounced") throw new AppError("not_doable", "Messages to this contact bounced.");
  if (optOut) throw optedOut();
  if (isTest) return {};
  const purpose = "one_time_code";
  const id = newId(ctx.clock().getTime());
  const delivery = await deliver(
    { ...ctx, log: (level, event, fields) => ctx.log(level, event, { ...fields, callKey }) },
    { channel, to, purpose, messageId: id },
    { ...texts[language].code(code, tenant.name), attachments: [] },
    signal,
  );
  const outcome = outcomeOf(delivery);
  if (outcome.status === "opted_out") throw optedOut();
  if (outcome.status === "failed") throw new AppError("message_failed", "The code could not be sent.");
  return { detail: messageDetail({ id, channel, purpose, ...outcome }) };
}
