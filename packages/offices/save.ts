import type { BusinessHours, NewOffice, Office, OfficeChange, StaffDestination } from "@vitaline/contract";
import { AppError, isAppError, newId, notFound } from "@vitaline/core";
import {
  check,
  create,
  keys,
  nextVersion,
  retryOnStale,
  remove,
  update,
  type OfficeRow,
  type TenantContext,
  type TenantRow,
  type Write,
} from "@vitaline/store";
import { applyFields, changedFields, changedNames, factsToStore, inheritHours, mergeHours, toUpdate, type Fields } from "@vitaline/tenants";
import { weeklyHoursOf } from "./effective-settings.ts";
import { asOffice } from "./read.ts";

/** AppError `not_found` for an unknown tenant, `duplicate` for a taken name, `invalid_request` for hours that end before they start. */
export async function createOffice(ctx: TenantContext, input: NewOffice): Promise<Office> {
  const tenant = await ctx.store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  const { name, isActive, ...features } = input;
  const row = applyFields<OfficeRow>(
    { id: newId(ctx.clock().getTime()), name, isActive, createdAt: ctx.clock().toISOString() },
    { ...features, ...completeHours(tenant, undefined, features), facts: factsToStore(features.facts) },
  );
  try {
    await ctx.store.commit(
      [
        create(keys.officeName(row.name), { id: row.id }),
        create(keys.office(row.id), row),
        create(keys.officeDirectory(row.id), directoryFields(row)),
        create(keys.ref(row.id), { tenantId: ctx.tenantId, kind: "office" }),
        ...(row.phone ? [numbersChanged] : []),
        check(keys.tenantConfig(), { exists: true }),
      ],
      { category: "configuration_change", action: "office.create", resourceType: "Office", resourceId: row.id },
    );
  } catch (error) {
    if (isAppError(error, "stale_version")) throw notFound();
    throw isAppError(error, "duplicate") ? nameTaken(error) : error;
  }
  return asOffice(row);
}

/** Offices that were found by their number are looked up again. */
const numbersChanged = update(keys.officeNumbersVersion(), { add: { version: 1 } });

const nameClaim = (name: string): string => keys.officeName(name).primaryKeyIn("").sk;

/** Another spelling of the same name keeps its claim. */
const renameWrites = ({ id, name: before }: OfficeRow, name: string | null | undefined): Write[] =>
  !name || nameClaim(name) === nameClaim(before)
    ? []
    : [create(keys.officeName(name), { id }), remove(keys.officeName(before), { equals: { id } })];

/**
 * Unchanged and unaudited if nothing differs. AppError `not_found`, `duplicate` for a taken name, `invalid_request` for hours that
 * end before they start, `stale_version` if `ifMatch` is not the current version.
 */
export const updateOffice = (ctx: TenantContext, officeId: string, input: OfficeChange, ifMatch?: number): Promise<Office> =>
  retryOnStale(ifMatch, async () => {
    const [tenant, office] = await ctx.store.batchGet([keys.tenantConfig(), keys.office(officeId)]);
    if (!tenant || !office) throw notFound();
    const { version, asRead } = nextVersion(office, ifMatch);
    const form: Fields<OfficeRow> = {
      ...input,
      ...completeHours(tenant, office, input),
      facts: factsToStore(input.facts),
    };
    const fields = changedFields(office, form);
    if (Object.keys(fields).length === 0) return asOffice(office);
    const changed = changedNames(office, fields);

    const all: Fields<OfficeRow> = { ...fields, version };
    try {
      await ctx.store.commit(
        [
          ...renameWrites(office, fields.name),
          ...("phone" in fields || "isActive" in fields ? [numbersChanged] : []),
          update(keys.office(officeId), toUpdate<OfficeRow>(all), asRead),
          update(keys.officeDirectory(officeId), toUpdate<OfficeRow>(directoryFields(all)), { exists: true }),
        ],
        {
          category: "configuration_change",
          action: "office.update",
          resourceType: "Office",
          resourceId: officeId,
          detail: { changed: changed.join(",") },
        },
      );
    } catch (error) {
      throw isAppError(error, "duplicate") ? nameTaken(error) : error;
    }
    return asOffice(applyFields(office, all));
  });

type HoursInput = Pick<OfficeChange, "businessHours" | "staffRouting">;
type CompleteHours = { businessHours: BusinessHours | null | undefined; staffRouting: StaffDestination[] | null | undefined };

/**
 * Completes partial hours: the office's from its own or the tenant's, a destination's from the office's. AppError `invalid_request`
 * if an end is not after its start.
 */
function completeHours(
  tenant: TenantRow,
  office: Pick<OfficeRow, "businessHours"> | undefined,
  { businessHours: given, staffRouting }: HoursInput,
): CompleteHours {
  const own = office?.businessHours;
  const businessHours =
    given && (own ? mergeHours(own, given, "businessHours") : inheritHours(weeklyHoursOf(tenant), given, "businessHours"));
  const effectiveHours: BusinessHours =
    businessHours === undefined ? weeklyHoursOf(tenant, office) : (businessHours ?? weeklyHoursOf(tenant));
  return {
    businessHours,
    staffRouting:
      staffRouting &&
      staffRouting.map(({ hours, ...destination }, at) => ({
        ...destination,
        hours: hours && inheritHours(effectiveHours, hours, `staffRouting.${at}.hours`),
      })),
  };
}

/** Which fields the console's list of all tenants' offices shows; the others stay in the tenant's partition. */
const isInDirectory: Record<keyof OfficeRow, boolean> = {
  id: true,
  name: true,
  address: true,
  phone: true,
  email: true,
  isActive: true,
  fhirProviderId: true,
  createdAt: true,
  version: true,
  staffCount: false,
  businessHours: false,
  staffRouting: false,
  language: false,
  messageTemplates: false,
  spanishMessageTemplates: false,
  facts: false,
};

const directoryFields = <Part extends Partial<Record<keyof OfficeRow, unknown>>>(fields: Part): Part =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isInDirectory[name as keyof OfficeRow])) as Part;

const nameTaken = (cause: unknown): AppError =>
  new AppError("duplicate", "An office with this name already exists", {
    cause,
    fields: { name: "An office with this name already exists" },
  });
