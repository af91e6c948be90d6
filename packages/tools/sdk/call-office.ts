import { allRows, keys, type OfficeRow } from "@vitaline/store";
import type { Run } from "./run.ts";

/** One Query. */
export const activeOffices = async ({ ctx }: Pick<Run, "ctx">): Promise<OfficeRow[]> =>
  (await allRows<OfficeRow>(ctx.store, keys.tenantPartitions.config(ctx.tenantId), { prefix: "OFFICE#" })).filter(
    ({ isActive }) => isActive,
  );

/** The call's office, or the tenant's only active one. One read. */
export async function officeOf({ ctx, call }: Pick<Run, "ctx" | "call">): Promise<OfficeRow | undefined> {
  if (call.officeId !== undefined) return ctx.store.get<OfficeRow>(keys.office(call.officeId));
  const [only, ...others] = await activeOffices({ ctx });
  return others.length === 0 ? only : undefined;
}
