import type {
  ContactPreferences,
  ContactPreferencesChange,
  TenantChange,
  TenantProfile,
  TenantSettings,
  TenantSettingsChange,
} from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { tenantStore, type TenantContext, type TenantRow } from "@vitaline/store";
import type { PlatformContext } from "@vitaline/store/platform.ts";
import { asTenant } from "./create.ts";
import { applied, type Fields } from "./edit.ts";
import { hoursAfter } from "./hours.ts";
import { policiesAfter } from "./policies.ts";
import { saveTenant } from "./save.ts";
import { contactPreferencesOf, settingsOf } from "./settings.ts";

const profileOf = (row: TenantRow): TenantProfile => ({ ...asTenant(row), ...settingsOf(row) });

/** A zone of its own is the one of the business hours too: agents and hours speak of the same clock. */
const inZone = (tenant: TenantRow, timeZone: string | undefined): Fields<TenantRow> => {
  if (timeZone === undefined || !tenant.contactPreferences) return { timeZone };
  const { businessHours } = tenant.contactPreferences;
  return { timeZone, contactPreferences: { ...tenant.contactPreferences, businessHours: { ...businessHours, timezone: timeZone } } };
};

/** Changes what an administrator of the platform may change. AppError as saveTenant, and `invalid_request`. */
export async function updateTenant(ctx: PlatformContext, tenantId: string, input: TenantChange, ifMatch?: number): Promise<TenantProfile> {
  const scoped: TenantContext = { ...ctx, tenantId, store: tenantStore(ctx, tenantId) };
  const { timeZone, policies, ...given } = input;
  const row = await saveTenant(scoped, "tenant.update", ifMatch, (tenant) => ({
    ...given,
    policies: policies && policiesAfter(tenant.policies, policies),
    ...inZone(tenant, timeZone),
  }));
  return profileOf(row);
}

/** What the change leaves out stays. AppError `invalid_request` where that does not go together. */
const preferencesAfter = (before: ContactPreferences, { businessHours, ...change }: ContactPreferencesChange): ContactPreferences => {
  const after = applied(before, { ...change, businessHours: hoursAfter(before.businessHours, businessHours ?? {}, "businessHours") });
  if (after[`${after.defaultMethod}Enabled`]) return after;
  const message = "Must be a method that is enabled";
  throw new AppError("invalid_request", message, { fields: { defaultMethod: message } });
};

const savePreferences = (ctx: TenantContext, change: ContactPreferencesChange, ifMatch: number | undefined): Promise<TenantRow> =>
  saveTenant(ctx, "tenant.contactPreferences", ifMatch, (tenant) => {
    const contactPreferences = preferencesAfter(contactPreferencesOf(tenant), change);
    return { contactPreferences, timeZone: contactPreferences.businessHours.timezone };
  });

/** The preferences as the platform's administrator saves them. AppError as saveTenant, and `invalid_request`. */
export const updateContactPreferencesOf = async (
  ctx: TenantContext,
  change: ContactPreferencesChange,
  ifMatch?: number,
): Promise<TenantProfile> => profileOf(await savePreferences(ctx, change, ifMatch));

/** The preferences as the tenant itself saves them. AppError as saveTenant, and `invalid_request`. */
export const updateContactPreferences = async (
  ctx: TenantContext,
  change: ContactPreferencesChange,
  ifMatch?: number,
): Promise<TenantSettings> => settingsOf(await savePreferences(ctx, change, ifMatch));

/** What a tenant sets for itself: the money that savings are counted by, the texts that go to patients. */
export const updateTenantSettings = async (ctx: TenantContext, input: TenantSettingsChange, ifMatch?: number): Promise<TenantSettings> =>
  settingsOf(await saveTenant(ctx, "tenant.settings", ifMatch, () => input));
