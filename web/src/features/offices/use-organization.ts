import { type BusinessHours, standardTexts, tenant, type TenantSettings } from "@vitaline/contract";
import { type Loaded, useApi } from "../../lib/api/use-api.ts";
import type { TextName } from "./office-values.ts";

/** What an office inherits unless it has its own. */
export type Organization = { businessHours: BusinessHours; messageTemplates: Record<TextName, string> };

/** What a tenant's offices inherit from it. */
export const inheritedFrom = ({
  contactPreferences,
  messageTemplates,
}: Pick<TenantSettings, "contactPreferences" | "messageTemplates">): Organization => ({
  businessHours: contactPreferences.businessHours,
  messageTemplates: {
    appointmentConfirmation: messageTemplates["appointmentConfirmation"] ?? standardTexts.appointmentConfirmation,
    appointmentReminder: messageTemplates["appointmentReminder"] ?? standardTexts.appointmentReminder,
    followUp: messageTemplates["followUp"] ?? standardTexts.followUp,
  },
});

/** The signed-in tenant's own settings, as its offices inherit them. */
export const useOrganization = (): Loaded<Organization> => {
  const loaded = useApi(tenant.tenantSettings, {});
  return { ...loaded, data: loaded.data && inheritedFrom(loaded.data) };
};
