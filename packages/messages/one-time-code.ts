import { AppError, newId } from "@vitaline/core";
import type { MessageChannel } from "@vitaline/contract";
import { keys, type TenantContext, type TenantRow } from "@vitaline/store";
import { contactOf, mayText } from "./contacts.ts";
import { deliver, outcomeOf } from "./deliver.ts";
import { isOn } from "./preferences.ts";
import { messageDetail, type MessageDetail } from "./request.ts";

export type CodeToSend = { channel: MessageChannel; to: string; code: string; callKey: string; signal?: AbortSignal };

/**
 * Sends a one-time code to a contact on file, at whatever hour, as the caller waits for it; no write. `detail` belongs into the audit
 * row of the run: the list of messages is made of it. AppError `contact_not_on_file` for what is no number or address, `not_doable`
 * where the tenant does not write in this way or messages came back lately, `opted_out`, `message_failed`. A code that nobody knows to
 * have arrived counts as sent.
 */
export async function sendOneTimeCode(
  ctx: TenantContext,
  tenant: TenantRow,
  { channel, to: given, code, callKey, signal }: CodeToSend,
): Promise<{ detail: MessageDetail }> {
  const to = contactOf(channel, given);
  if (!to) throw new AppError("contact_not_on_file", "The contact on file cannot be written to.");
  if (!isOn(tenant, channel)) throw new AppError("not_doable", "The clinic does not write in this way.");
  if (channel === "sms" && !mayText(tenant, to)) throw new AppError("not_doable", "The clinic does not text numbers of that country.");
  const optedOut = () => new AppError("opted_out", "The contact has asked for no messages.");
  const stands = await ctx.store.get(keys.optOut(to));
  if (stands?.reason === "bounced") throw new AppError("not_doable", "Messages to this contact came back.");
  if (stands) throw optedOut();
  const purpose = "one_time_code";
  const id = newId(ctx.clock().getTime());
  const text = `${code} is your code for ${tenant.name}. Say it only in the call in which you asked for it.`;
  const delivery = await deliver(
    { ...ctx, log: (level, event, fields) => ctx.log(level, event, { ...fields, callKey }) },
    { channel, to, purpose, messageId: id },
    { subject: `Your code for ${tenant.name}`, text, attachments: [] },
    signal,
  );
  const outcome = outcomeOf(delivery);
  if (outcome.status === "opted_out") throw optedOut();
  if (outcome.status === "failed") throw new AppError("message_failed", "The code could not be sent.");
  return { detail: messageDetail({ id, channel, purpose, ...outcome }) };
}
