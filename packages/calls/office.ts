import { notFound } from "@vitaline/core";
import { allRows, keys, type OfficeRow, type TenantContext } from "@vitaline/store";

/** AppError `not_found` for another tenant's office; passes when no office is given. */
export async function requireOffice(ctx: TenantContext, officeId: string | undefined): Promise<void> {
  if (officeId !== undefined && !(await ctx.store.get<OfficeRow>(keys.office(officeId)))) throw notFound();
}

/** Names of the tenant's offices by id. One Query. */
export async function officeNames({ store, tenantId }: TenantContext): Promise<ReadonlyMap<string, string>> {
  const rows = await allRows<OfficeRow>(store, keys.tenantPartitions.config(tenantId), { prefix: "OFFICE#" });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
