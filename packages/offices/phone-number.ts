import { dayMs } from "@vitaline/core";
import { allRows, keys, type OfficeNumberRow, put, type OfficeRow, type TenantContext, update, type Write } from "@vitaline/store";
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

const expiry = (now: Date): number => Math.floor((now.getTime() + 30 * dayMs) / 1000);

/** The row that tells whose number it is; undefined for text that is no number. */
export function officeNumberKey(phone: string): TenantKey<OfficeNumberRow> | undefined {
  const number = normalizeNumber(phone);
  return number === undefined ? undefined : keys.officeNumber(number);
}

/**
 * The id of `officeWithNumber`. One read, or none if `known` was read before; a number that was not asked for since its office changed
 * takes a Query over the offices and a write.
 */
export async function findOfficeIdByNumber(ctx: TenantContext, phone: string, read?: OfficeNumberRow): Promise<string | undefined> {
  const [number, key] = [normalizeNumber(phone), officeNumberKey(phone)];
  if (!key) return undefined;
  const known = read ?? (await ctx.store.get(key));
  if (known?.officeIds) return only(known.officeIds);
  const offices = await allRows<OfficeRow>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix: "OFFICE#", now: true });
  const officeIds = officesWith(offices, number).map(({ id }) => id);
  const row = { version: known?.version ?? 0, officeIds, expiresAt: expiry(ctx.clock()) };
  await ctx.store.writeUnaudited(put(key, row, known ? { equals: { version: known.version } } : { exists: false }));
  return only(officeIds);
}

/** What a change of an office makes of the numbers that it had and has: they are looked up again. */
export const forgetNumbers = (now: Date, phones: readonly (string | null | undefined)[]): Write[] =>
  [...new Set(phones.flatMap((phone) => (phone ? (normalizeNumber(phone) ?? []) : [])))].map((number) =>
    update<OfficeNumberRow>(keys.officeNumber(number), { set: { expiresAt: expiry(now) }, add: { version: 1 }, remove: ["officeIds"] }),
  );
