import type { MessageChannel } from "@vitaline/contract";
import { keys, put, remove, type OptOutRow, type TenantContext, type TenantRow } from "@vitaline/store";
import { contactPreferencesOf } from "@vitaline/tenants";

type TenantPreferences = Pick<TenantRow, "contactPreferences" | "timeZone">;

export const isChannelEnabled = (tenant: TenantPreferences, channel: MessageChannel): boolean =>
  contactPreferencesOf(tenant)[`${channel}Enabled`];

/** The tenant's enabled channels, its default one first. */
export function enabledChannels(tenant: TenantPreferences): MessageChannel[] {
  const { defaultMethod } = contactPreferencesOf(tenant);
  const all: MessageChannel[] = defaultMethod === "email" ? ["email", "sms"] : ["sms", "email"];
  return all.filter((channel) => isChannelEnabled(tenant, channel));
}

/** Stops messages from this tenant to a contact, spelled as by normalizeContact; keeps an earlier complaint. One write unit; the caller audits it. */
export const optOut = async (ctx: TenantContext, channel: MessageChannel, contact: string): Promise<void> =>
  void (await ctx.store.writeUnaudited(
    put<OptOutRow>(keys.optOut(contact), { channel, at: ctx.clock().toISOString() }, { notEquals: { reason: "complained" } }),
  ));

/** By then the address may be in use or corrected. */
const bounceSeconds = 30 * 86_400;

/**
 * Stops messages for 30 days after a bounce, and permanently after a complaint. Does not change an opt-out by the contact's owner.
 * The result does not depend on order or repetition. One write unit, or two if there is an opt-out already.
 */
export async function optOutAfterReceipt(
  ctx: TenantContext,
  reason: NonNullable<OptOutRow["reason"]>,
  { channel, contact }: { channel: MessageChannel; contact: string },
): Promise<void> {
  const now = ctx.clock();
  const key = keys.optOut(contact);
  const expiresAt = Math.floor(now.getTime() / 1000) + bounceSeconds;
  const row: OptOutRow = { channel, at: now.toISOString(), reason, ...(reason === "bounced" ? { expiresAt } : {}) };
  if (await ctx.store.writeUnaudited(put(key, row, { exists: false }))) return;
  await ctx.store.writeUnaudited(put(key, row, { equals: { reason: "bounced" } }));
}

/**
 * Undoes an opt-out by the contact's owner. Returns the reason if a bounce or a complaint still stops messages. A number that
 * replied STOP stays on AWS's list until it replies START.
 */
export async function optIn(ctx: TenantContext, contact: string): Promise<OptOutRow["reason"]> {
  const key = keys.optOut(contact);
  if (await ctx.store.writeUnaudited(remove(key, { absent: ["reason"] }))) return undefined;
  return (await ctx.store.get<OptOutRow>(key))?.reason;
}
