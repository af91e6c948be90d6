import { defaultMessageTexts, type BusinessHours, type Language, type MessageTemplates, type StaffDestination } from "@vitaline/contract";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import { contactPreferencesOf } from "@vitaline/tenants";
import { isOpen } from "./opening-hours.ts";

type TenantOfHours = Pick<TenantRow, "contactPreferences" | "timeZone">;

/** The office's own hours, else the tenant's. */
export const hoursOf = (tenant: TenantOfHours, office?: Pick<OfficeRow, "businessHours">): BusinessHours =>
  office?.businessHours ?? contactPreferencesOf(tenant).businessHours;

/** For times of appointments at this office. */
export const timeZoneOf = (tenant: TenantOfHours, office?: Pick<OfficeRow, "businessHours">): string => hoursOf(tenant, office).timezone;

const equalsIgnoringCase = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/**
 * Staff on duty at `at` for this reason, in routing order; a destination without own hours follows the office's. Empty for an
 * inactive office.
 */
export function destinationsFor(
  tenant: TenantOfHours,
  office: Pick<OfficeRow, "isActive" | "businessHours" | "staffRouting">,
  reason: string | undefined,
  at: Date,
): StaffDestination[] {
  if (!office.isActive) return [];
  const matchesReason = ({ reasons }: StaffDestination): boolean =>
    reasons.length === 0 || (reason !== undefined && reasons.some((each) => equalsIgnoringCase(each, reason)));
  return (office.staffRouting ?? []).filter((each) => matchesReason(each) && isOpen(each.hours ?? hoursOf(tenant, office), at));
}

type WithTemplates = { messageTemplates?: MessageTemplates; spanishMessageTemplates?: MessageTemplates };

const templatesIn = { en: "messageTemplates", es: "spanishMessageTemplates" } as const satisfies Record<Language, keyof WithTemplates>;

/** The office's template, else the tenant's, else the standard text. */
export const templateOf = (
  tenant: WithTemplates,
  office: WithTemplates | undefined,
  name: keyof MessageTemplates,
  language: Language = "en",
): string => {
  const templates = templatesIn[language];
  return office?.[templates]?.[name] ?? tenant[templates]?.[name] ?? defaultMessageTexts[language][name];
};
