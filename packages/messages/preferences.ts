import type { MessageChannel } from "@vitaline/contract";
import { keys, type OptOutRow, put, remove, type TenantContext, type TenantRow } from "@vitaline/store";
import { contactPreferencesOf } from "@vitaline/tenants";

/**
 * From now on nothing is sent to this contact, as contactOf spells it, by this tenant; a complaint stays known as one. One write unit;
 * audited by whoever asks for it.
 */
export const optOut = async (ctx: TenantContext, channel: MessageChannel, contact: string): Promise<void> =>
  void (await ctx.store.note(
    put<OptOutRow>(keys.optOut(contact), { channel, at: ctx.clock().toISOString() }, { notEquals: { reason: "complained" } }),
  ));

/** How long a contact is left alone after a message to it bounced: by then it may be somebody's, or written right. */
const leftAloneSeconds = 30 * 86_400;

/**
 * After a bounce nothing is sent to the contact for thirty days, after a complaint for good. What its owner has asked for before stands.
 * The same word again, or both in whatever order, make the same. One write unit, or two where something stands already.
 */
export async function optOutBy(
  ctx: TenantContext,
  reason: NonNullable<OptOutRow["reason"]>,
  { channel, contact }: { channel: MessageChannel; contact: string },
): Promise<void> {
  const now = ctx.clock();
  const key = keys.optOut(contact);
  const expiresAt = Math.floor(now.getTime() / 1000) + leftAloneSeconds;
  const row: OptOutRow = { channel, at: now.toISOString(), reason, ...(reason === "bounced" ? { expiresAt } : {}) };
  if (await ctx.store.note(put(key, row, { exists: false }))) return;
  await ctx.store.note(put(key, row, { equals: { reason: "bounced" } }));
}

/**
 * Takes back what the contact's owner has asked for; gives why it stays stopped after a bounce or a complaint. A number that wrote STOP
 * stays on the list of AWS until it writes START.
 */
export async function optIn(ctx: TenantContext, contact: string): Promise<OptOutRow["reason"]> {
  const key = keys.optOut(contact);
  if (await ctx.store.note(remove(key, { absent: ["reason"] }))) return undefined;
  return (await ctx.store.get<OptOutRow>(key))?.reason;
}

type OfTenant = Pick<TenantRow, "contactPreferences" | "timeZone">;

/** Whether the tenant lets patients be written to in this way. */
export const isOn = (tenant: OfTenant, channel: MessageChannel): boolean => contactPreferencesOf(tenant)[`${channel}Enabled`];

/** The ways in which the tenant lets patients be written to, the one it likes best first. */
export function channelsOf(tenant: OfTenant): MessageChannel[] {
  const { defaultMethod } = contactPreferencesOf(tenant);
  const all: MessageChannel[] = defaultMethod === "email" ? ["email", "sms"] : ["sms", "email"];
  return all.filter((channel) => isOn(tenant, channel));
}
