import { notFound } from "@vitaline/core";
import { keys, type OfficeRow, type TenantContext } from "@vitaline/store";

/** Settles when the office is the tenant's own, or none was named. AppError `not_found`; to be awaited beside what is asked of it. */
export async function requireOffice(ctx: TenantContext, officeId: string | undefined): Promise<void> {
  if (officeId !== undefined && !(await ctx.store.get<OfficeRow>(keys.office(officeId)))) throw notFound();
}
