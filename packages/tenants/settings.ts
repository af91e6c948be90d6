import type { BusinessHours, ContactPreferences, HoursChange, MessageTemplates, MessageTexts, TenantSettings } from "@vitaline/contract";
import { retentionOf, type TenantRow } from "@vitaline/store";
import { AppError } from "@vitaline/core";
import { applied } from "./partial-update.ts";

/** A tenant's preferences; until it saves some, the usual ones in its own time zone. */
export const contactPreferencesOf = ({
  contactPreferences,
  timeZone,
}: Pick<TenantRow, "contactPreferences" | "timeZone">): ContactPreferences =>
  contactPreferences ?? {
    defaultMethod: "email",
    emailEnabled: true,
    smsEnabled: true,
    phoneEnabled: true,
    businessHours: { start: "09:00", end: "17:00", timezone: timeZone },
  };

/** Every text by its name, null where none is set. */
export const messageTextsOf = (templates: MessageTemplates | undefined): MessageTexts => ({
  appointmentConfirmation: templates?.appointmentConfirmation ?? null,
  appointmentReminder: templates?.appointmentReminder ?? null,
  followUp: templates?.followUp ?? null,
});

/** What a tenant's screens show of its settings. */
export const settingsOf = (tenant: TenantRow): TenantSettings => ({
  contactPreferences: contactPreferencesOf(tenant),
  timeZone: tenant.timeZone,
  plan: tenant.plan ?? null,
  hourlyWage: tenant.hourlyWage ?? null,
  averageVisitValue: tenant.averageVisitValue ?? null,
  messageTemplates: messageTextsOf(tenant.messageTemplates),
  policies: {
    requireTotp: tenant.policies?.requireTotp ?? false,
    ownFhirProviders: tenant.policies?.ownFhirProviders ?? false,
    messageAnyContact: tenant.policies?.messageAnyContact ?? false,
    messageFreeText: tenant.policies?.messageFreeText ?? false,
    textCountries: tenant.policies?.textCountries ?? null,
    toolLevels: tenant.policies?.toolLevels ?? {},
    retention: retentionOf(tenant),
  },
  version: tenant.version ?? 1,
});

/**
 * Hours after a change of them: what it leaves out stays. AppError `invalid_request`, said of `field`, where the end is then
 * not after the start.
 */
export function hoursAfter(hours: BusinessHours, change: HoursChange, field: string): BusinessHours {
  const after = applied(hours, change);
  if (after.start < after.end) return after;
  const message = "Must be after the start";
  throw new AppError("invalid_request", message, { fields: { [`${field}.end`]: message } });
}

/** Hours of one's own where the inherited ones held: what is left out is as with those. AppError as hoursAfter. */
export function hoursUnder(inherited: BusinessHours, own: HoursChange, field: string): BusinessHours {
  const { days: _days, ...anyDay } = inherited;
  // Somebody else's exceptions say nothing of a range of one's own.
  const hasRange = own.start !== undefined || own.end !== undefined;
  return hoursAfter(hasRange ? anyDay : inherited, own, field);
}
