import { allRows, keys, type OfficeRow, type TenantContext } from "@vitaline/store";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** Numbers without a country are of this one. */
const defaultCountry = "US";

/** The line that a number names, however it is spelled: E.164, of a number within an office without its extension. */
const lineOf = (phone: string): string | undefined => {
  const number = parsePhoneNumberFromString(phone, defaultCountry);
  return number?.isPossible() ? number.number : undefined;
};

/** The active office whose `phone` is this number, however either is spelled. undefined: none, or several share it. */
export function officeWithNumber(offices: readonly OfficeRow[], phone: string): OfficeRow | undefined {
  const line = lineOf(phone);
  if (line === undefined) return undefined;
  const [office, ...others] = offices.filter((one) => one.isActive && one.phone !== undefined && lineOf(one.phone) === line);
  return others.length === 0 ? office : undefined;
}

/** The same among all of a tenant's offices: one Query. */
export const findOfficeByNumber = async (ctx: TenantContext, phone: string): Promise<OfficeRow | undefined> =>
  officeWithNumber(
    await allRows<OfficeRow>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix: "OFFICE#", now: true }),
    phone,
  );
