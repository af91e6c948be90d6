import { type FhirAssigned, fhirProviders, type TenantAssignments } from "@vitaline/contract";
import { readAll } from "../../lib/api/use-all.ts";

export type Place = { tenantId: string; officeId?: string };

type Chosen = { id: string; name: string } | null;

/** The tenant's row after an assignment was changed. */
export const withAssigned = (
  row: TenantAssignments,
  { officeId }: Place,
  chosen: Chosen,
  { version }: Pick<FhirAssigned, "version">,
): TenantAssignments =>
  officeId === undefined
    ? { ...row, defaultFhirProvider: chosen, version }
    : { ...row, offices: row.offices.map((office) => (office.id === officeId ? { ...office, fhirProvider: chosen, version } : office)) };

/** undefined if the office does not exist any more */
export const holderOf = (row: TenantAssignments, { officeId }: Place): { name: string; assigned: Chosen; version: number } | undefined => {
  if (officeId === undefined) return { name: row.name, assigned: row.defaultFhirProvider, version: row.version };
  const office = row.offices.find(({ id }) => id === officeId);
  return office && { name: office.name, assigned: office.fhirProvider, version: office.version };
};

/** Reads all pages of the list, as there is no route for one tenant; undefined if the tenant is gone. */
export const reread = async (tenantId: string): Promise<TenantAssignments | undefined> => {
  const rows = await readAll(fhirProviders.listFhirAssignments, { query: { limit: 100 } });
  return rows.find((row) => row.tenantId === tenantId);
};
