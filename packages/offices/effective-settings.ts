import {
  defaultMessageTexts,
  type BusinessHours,
  type Language,
  type MessageTemplates,
  type OfficeFactsChange,
  type StaffDestination,
} from "@vitaline/contract";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import { contactPreferencesOf } from "@vitaline/tenants";
import { isOpen, type OpeningHours } from "./opening-hours.ts";

type TenantOfHours = Pick<TenantRow, "contactPreferences" | "timeZone" | "facts">;
type OfficeOfHours = Pick<OfficeRow, "businessHours" | "facts">;

/** Each fact is the office's, else the tenant's. */
export const effectiveFacts = (tenant: Pick<TenantRow, "facts">, office?: Pick<OfficeRow, "facts">): OfficeFactsChange => {
  const own = Object.entries(office?.facts ?? {}).filter(([, fact]) => fact !== undefined);
  return { ...tenant.facts, ...Object.fromEntries(own) };
};

/** Without holidays: the office's own hours, else the tenant's. */
export const weeklyHoursOf = (tenant: TenantOfHours, office?: Pick<OfficeRow, "businessHours">): BusinessHours =>
  office?.businessHours ?? contactPreferencesOf(tenant).businessHours;

/** When an office is open, with its holidays. */
export const hoursOf = (tenant: TenantOfHours, office?: OfficeOfHours): OpeningHours => {
  const { holidays } = effectiveFacts(tenant, office);
  return { ...weeklyHoursOf(tenant, office), ...(holidays ? { holidays } : {}) };
};

/** For times of appointments at this office. */
export const timeZoneOf = (tenant: TenantOfHours, office?: Pick<OfficeRow, "businessHours">): string =>
  weeklyHoursOf(tenant, office).timezone;

const equalsIgnoringCase = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/**
 * Staff on duty at `at` for this reason, in routing order; a destination without own hours follows the office's. Empty for an
 * inactive office.
 */
export function destinationsFor(
  tenant: TenantOfHours,
  office: Pick<OfficeRow, "isActive" | "businessHours" | "facts" | "staffRouting">,
  reason: string | undefined,
  at: Date,
): StaffDestination[] {
  if (!office.isActive) return [];
  const matchesReason = ({ reasons }: StaffDestination): boolean =>
    reasons.length === 0 || (reason !== undefined && reasons.some((each) => equalsIgnoringCase(each, reason)));
  return (office.staffRouting ?? []).filter((each) => matchesReason(each) && isOpen(each.hours ?? hoursOf(tenant, office), at));
}

/** Of a caller or patient whose own is not known: the office's, else the tenant's, else English. */
export const defaultLanguageOf = (tenant: Pick<TenantRow, "language"> | undefined, office?: Pick<OfficeRow, "language">): Language =>
  office?.language ?? tenant?.language ?? "en";

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
