import { notFound } from "@vitaline/core";
import { keys, type OfficeRow, type TenantContext } from "@vitaline/store";

/** AppError `not_found` for another tenant's office; passes when no office is given. */
export async function requireOffice(ctx: TenantContext, officeId: string | undefined): Promise<void> {
  if (officeId !== undefined && !(await ctx.store.get<OfficeRow>(keys.office(officeId)))) throw notFound();
}
