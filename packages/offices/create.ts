import type { NewOffice, Office } from "@vitaline/contract";
import { isAppError, newId, notFound } from "@vitaline/core";
import { check, create, keys, type OfficeRow, type TenantContext } from "@vitaline/store";
import { applied } from "@vitaline/tenants";
import { asOffice, listedOf, nameTaken } from "./office.ts";
import { wholeHours } from "./whole-hours.ts";

/** An office with its name claimed in its tenant. AppError `not_found` for an unknown tenant, `duplicate` for a taken name, `invalid_request` for hours that end before they start. */
export async function createOffice(ctx: TenantContext, input: NewOffice): Promise<Office> {
  const tenant = await ctx.store.get(keys.tenantConfig());
  if (!tenant) throw notFound();
  const { name, isActive, ...features } = input;
  const row = applied<OfficeRow>(
    { id: newId(ctx.clock().getTime()), name, isActive, createdAt: ctx.clock().toISOString() },
    { ...features, ...wholeHours(tenant, undefined, features) },
  );
  try {
    await ctx.store.commit(
      [
        create(keys.officeName(row.name), { id: row.id }),
        create(keys.office(row.id), row),
        create(keys.officeDirectory(row.id), listedOf(row)),
        create(keys.ref(row.id), { tenantId: ctx.tenantId, kind: "office" }),
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
