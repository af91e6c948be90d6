import type { ContactPreferences, MessageTemplates, MessageTexts, TenantSettings } from "@vitaline/contract";
import { retentionOf, type TenantRow } from "@vitaline/store";

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
