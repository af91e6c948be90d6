import { standardTexts, type BusinessHours, type MessageTemplates, type StaffDestination } from "@vitaline/contract";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import { contactPreferencesOf } from "@vitaline/tenants";
import { isOpen } from "./opening-hours.ts";

type TenantOfHours = Pick<TenantRow, "contactPreferences" | "timeZone">;

/** The business hours that hold for an office: its own, else the tenant's. */
export const hoursOf = (tenant: TenantOfHours, office?: Pick<OfficeRow, "businessHours">): BusinessHours =>
  office?.businessHours ?? contactPreferencesOf(tenant).businessHours;

/** The time zone in which a visit there is spoken of, asked for and written about: the office's, else the tenant's. */
export const zoneOf = (tenant: TenantOfHours, office?: Pick<OfficeRow, "businessHours">): string => hoursOf(tenant, office).timezone;

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();

/**
 * Where a call may be put through to at an instant, in the order to be tried: destinations for its reason, or for any,
 * that are on duty by their own hours, else by the office's. None when the office is not active.
 */
export function destinationsFor(
  tenant: TenantOfHours,
  office: Pick<OfficeRow, "isActive" | "businessHours" | "staffRouting">,
  reason: string | undefined,
  at: Date,
): StaffDestination[] {
  if (!office.isActive) return [];
  const takes = ({ reasons }: StaffDestination): boolean =>
    reasons.length === 0 || (reason !== undefined && reasons.some((each) => same(each, reason)));
  return (office.staffRouting ?? []).filter((each) => takes(each) && isOpen(each.hours ?? hoursOf(tenant, office), at));
}

type WithTemplates = { messageTemplates?: MessageTemplates };

/** The text that goes to a patient: the office's, else the tenant's, else the standard one. */
export const templateOf = (tenant: WithTemplates, office: WithTemplates | undefined, name: keyof MessageTemplates): string =>
  office?.messageTemplates?.[name] ?? tenant.messageTemplates?.[name] ?? standardTexts[name];
