import type { NewOffice, Office } from "@vitaline/contract";
import { AppError, isAppError, newId, notFound } from "@vitaline/core";
import { check, create, keys, type OfficeRow, type TenantContext } from "@vitaline/store";

const asOffice = (row: OfficeRow): Office => ({ ...row, address: row.address ?? null, phone: row.phone ?? null, email: row.email ?? null });

/** An office with its name claimed in its tenant. AppError `not_found` for an unknown tenant, `duplicate` for a taken name. */
export async function createOffice(ctx: TenantContext, input: NewOffice): Promise<Office> {
  const row: OfficeRow = { ...input, id: newId(ctx.clock().getTime()), createdAt: ctx.clock().toISOString() };
  try {
    await ctx.store.commit(
      [
        create(keys.officeName(row.name), { id: row.id }),
        create(keys.office(row.id), row),
        create(keys.officeDirectory(row.id), row),
        create(keys.ref(row.id), { tenantId: ctx.tenantId, kind: "office" }),
        check(keys.tenantConfig(), { exists: true }),
      ],
      { category: "configuration_change", action: "office.create", resourceType: "Office", resourceId: row.id },
    );
  } catch (error) {
    if (isAppError(error, "stale_version")) throw notFound();
    if (!isAppError(error, "duplicate")) throw error;
    throw new AppError("duplicate", "An office with this name already exists", {
      cause: error,
      fields: { name: "An office with this name already exists" },
    });
  }
  return asOffice(row);
}
