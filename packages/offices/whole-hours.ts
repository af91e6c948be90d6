import type { BusinessHours, OfficeChange, StaffDestination } from "@vitaline/contract";
import type { OfficeRow, TenantRow } from "@vitaline/store";
import { hoursAfter, hoursUnder } from "@vitaline/tenants";
import { hoursOf } from "./features.ts";

type Given = Pick<OfficeChange, "businessHours" | "staffRouting">;
type Whole = { businessHours: BusinessHours | null | undefined; staffRouting: StaffDestination[] | null | undefined };

/**
 * Hours as a row holds them, of those that a form may give in part: for the rest the office's are its own, else the tenant's,
 * and a destination's are those that then hold for the office. AppError `invalid_request` where an end is not after its start.
 */
export function wholeHours(
  tenant: TenantRow,
  office: Pick<OfficeRow, "businessHours"> | undefined,
  { businessHours: given, staffRouting }: Given,
): Whole {
  const own = office?.businessHours;
  const businessHours = given && (own ? hoursAfter(own, given, "businessHours") : hoursUnder(hoursOf(tenant), given, "businessHours"));
  const holding: BusinessHours = businessHours === undefined ? hoursOf(tenant, office) : (businessHours ?? hoursOf(tenant));
  return {
    businessHours,
    staffRouting:
      staffRouting &&
      staffRouting.map(({ hours, ...destination }, at) => ({
        ...destination,
        hours: hours && hoursUnder(holding, hours, `staffRouting.${at}.hours`),
      })),
  };
}
