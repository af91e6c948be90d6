import {
  allRows,
  batchGetNamed,
  keys,
  type OfficesOfNumberRow,
  type OfficeNumbersVersionRow,
  put,
  type OfficeRow,
  type TenantContext,
} from "@vitaline/store";
import type { TenantKey } from "@vitaline/store/keys.ts";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";

/** For numbers without a country code. */
const defaultCountry = "US";

/** E.164 without an extension. */
const normalizeNumber = (phone: string): string | undefined => {
  const number = parsePhoneNumberFromString(phone, defaultCountry);
  return number?.isPossible() ? number.number : undefined;
};

const officesWith = (offices: readonly OfficeRow[], number: string | undefined): OfficeRow[] =>
  offices.filter(({ isActive, phone }) => isActive && number !== undefined && phone !== undefined && normalizeNumber(phone) === number);

const only = <One>([one, ...others]: readonly One[]): One | undefined => (others.length === 0 ? one : undefined);

/** The active office with this number in any spelling; undefined if none or several have it. */
export const officeWithNumber = (offices: readonly OfficeRow[], phone: string): OfficeRow | undefined =>
  only(officesWith(offices, normalizeNumber(phone)));

const keptSeconds = 30 * 86_400;

type NumberKeys = { version: TenantKey<OfficeNumbersVersionRow>; offices: TenantKey<OfficesOfNumberRow> };
/**
 * The rows that tell whose number it is; undefined for text that is no number. The offices of a number count only at the version at which
 * they were found.
 */
export function officeNumberKeys(phone: string): NumberKeys | undefined {
  const number = normalizeNumber(phone);
  return number === undefined ? undefined : { version: keys.officeNumbersVersion(), offices: keys.officesOfNumber(number) };
}
export type OfficeNumberRows = { version?: OfficeNumbersVersionRow | undefined; offices?: OfficesOfNumberRow | undefined };

/**
 * The id of `officeWithNumber`. One read, or none with the rows of `officeNumberKeys`. The first time after a change of any office of the
 * tenant, and after a month, it takes a Query over the offices and a write.
 */
export async function findOfficeIdByNumber(ctx: TenantContext, phone: string, read?: OfficeNumberRows): Promise<string | undefined> {
  const [number, rowKeys] = [normalizeNumber(phone), officeNumberKeys(phone)];
  if (!rowKeys) return undefined;
  const rows = read ?? (await batchGetNamed(ctx.store, rowKeys));
  const version = rows.version?.version ?? 0;
  if (rows.offices?.version === version) return only(rows.offices.officeIds);
  const offices = await allRows<OfficeRow>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix: "OFFICE#", now: true });
  const officeIds = officesWith(offices, number).map(({ id }) => id);
  const expiresAt = Math.floor(ctx.clock().getTime() / 1000) + keptSeconds;
  await ctx.store.writeUnaudited(put(rowKeys.offices, { version, officeIds, expiresAt }));
  return only(officeIds);
}
