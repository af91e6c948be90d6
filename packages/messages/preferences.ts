import type { MessageChannel } from "@vitaline/contract";
import type { TenantRow } from "@vitaline/store";
import { contactPreferencesOf } from "@vitaline/tenants";

type OfTenant = Pick<TenantRow, "contactPreferences" | "timeZone">;

/** Whether the tenant lets patients be written to in this way. */
export const isOn = (tenant: OfTenant, channel: MessageChannel): boolean => contactPreferencesOf(tenant)[`${channel}Enabled`];

/** The ways in which the tenant lets patients be written to, the one it likes best first. */
export function channelsOf(tenant: OfTenant): MessageChannel[] {
  const { defaultMethod } = contactPreferencesOf(tenant);
  const all: MessageChannel[] = defaultMethod === "email" ? ["email", "sms"] : ["sms", "email"];
  return all.filter((channel) => isOn(tenant, channel));
}
