import { allRows, keys, type OfficeRow, type TenantContext } from "@vitaline/store";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** For numbers without a country code. */
const defaultCountry = "US";

/** E.164 without an extension. */
const normalizeNumber = (phone: string): string | undefined => {
  const number = parsePhoneNumberFromString(phone, defaultCountry);
  return number?.isPossible() ? number.number : undefined;
};

/** The active office with this number in any spelling; undefined if none or several have it. */
export function officeWithNumber(offices: readonly OfficeRow[], phone: string): OfficeRow | undefined {
  const normalized = normalizeNumber(phone);
  if (normalized === undefined) return undefined;
  const [office, ...others] = offices.filter((one) => one.isActive && one.phone !== undefined && normalizeNumber(one.phone) === normalized);
  return others.length === 0 ? office : undefined;
}

/** One Query over the tenant's offices. */
export const findOfficeByNumber = async (ctx: TenantContext, phone: string): Promise<OfficeRow | undefined> =>
  officeWithNumber(
    await allRows<OfficeRow>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix: "OFFICE#", now: true }),
    phone,
  );
