import { breakFault, defaultMinorsPolicy, defaultToolRunsPerMinute } from "@vitaline/contract";
import type {
  BusinessHours,
  ContactPreferences,
  HoursChange,
  MessageTemplates,
  MessageTexts,
  MinorsPolicy,
  OfficeFacts,
  OfficeFactsChange,
  TenantSettings,
} from "@vitaline/contract";
import { AppError } from "@vitaline/core";
import { retentionOf, type TenantRow } from "@vitaline/store";
import { applyFields } from "./partial-update.ts";

/** Defaults to the tenant's time zone until preferences are saved. */
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

export const messageTextsOf = (templates: MessageTemplates | undefined): MessageTexts => ({
  appointmentConfirmation: templates?.appointmentConfirmation ?? null,
  appointmentReminder: templates?.appointmentReminder ?? null,
  followUp: templates?.followUp ?? null,
});

/** With the defaults for what the tenant has not set. */
export const minorsPolicyOf = ({ policies }: Pick<TenantRow, "policies">): MinorsPolicy => ({
  ...defaultMinorsPolicy,
  ...policies?.minors,
});

export const factsOf = (facts: OfficeFactsChange = {}): OfficeFacts => ({
  directions: facts.directions ?? null,
  parking: facts.parking ?? null,
  telehealth: facts.telehealth ?? null,
  afterHours: facts.afterHours ?? null,
  insurance: facts.insurance ?? [],
  selfPayPrices: facts.selfPayPrices ?? [],
  whatToBring: facts.whatToBring ?? [],
  languages: facts.languages ?? [],
  holidays: facts.holidays ?? [],
  questions: facts.questions ?? [],
});

/** null if none is set. */
export const factsToStore = (facts: OfficeFactsChange | null | undefined): OfficeFactsChange | null | undefined =>
  facts && Object.values(facts).every((fact) => fact === undefined) ? null : facts;

export const settingsOf = (tenant: TenantRow): TenantSettings => ({
  contactPreferences: contactPreferencesOf(tenant),
  timeZone: tenant.timeZone,
  plan: tenant.plan ?? null,
  hourlyWage: tenant.hourlyWage ?? null,
  averageVisitValue: tenant.averageVisitValue ?? null,
  messageTemplates: messageTextsOf(tenant.messageTemplates),
  spanishMessageTemplates: messageTextsOf(tenant.spanishMessageTemplates),
  language: tenant.language ?? null,
  facts: factsOf(tenant.facts),
  policies: {
    requireTotp: tenant.policies?.requireTotp ?? false,
    ownFhirProviders: tenant.policies?.ownFhirProviders ?? false,
    ownVoiceProviders: tenant.policies?.ownVoiceProviders ?? false,
    messageAnyContact: tenant.policies?.messageAnyContact ?? false,
    messageFreeText: tenant.policies?.messageFreeText ?? false,
    textCountries: tenant.policies?.textCountries ?? null,
    toolLevels: tenant.policies?.toolLevels ?? {},
    toolRunsPerMinute: tenant.policies?.toolRunsPerMinute ?? defaultToolRunsPerMinute,
    minors: minorsPolicyOf(tenant),
    retention: retentionOf(tenant),
  },
  version: tenant.version ?? 1,
});

/**
 * Keeps omitted hours. AppError `invalid_request` about `field` if the end is not after the start, or a kept break is no longer within
 * the hours.
 */
export function mergeHours(hours: BusinessHours, change: HoursChange, field: string): BusinessHours {
  const after = applyFields(hours, change);
  if (after.start >= after.end) throw invalid(`${field}.end`, "Must be after the start");
  const fault = breakFault(after);
  if (fault) throw invalid([field, ...fault.path].join("."), fault.message);
  return after;
}

const invalid = (field: string, message: string): AppError => new AppError("invalid_request", message, { fields: { [field]: message } });

/** Own hours in place of inherited ones, which fill in omitted values. AppError as `mergeHours`. */
export function inheritHours(inherited: BusinessHours, own: HoursChange, field: string): BusinessHours {
  const { days: _days, breaks: _breaks, ...anyDay } = inherited;
  // Inherited breaks and exceptions for single days do not apply to an own range.
  const hasRange = own.start !== undefined || own.end !== undefined;
  return mergeHours(hasRange ? anyDay : inherited, own, field);
}
