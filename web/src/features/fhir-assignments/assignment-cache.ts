import { type FhirAssigned, fhirProviders, type TenantAssignments } from "@vitaline/contract";
import { readAll } from "../../lib/api/use-all.ts";

/** Whose record system is meant: a tenant's, or one of its offices'. */
export type Place = { tenantId: string; officeId?: string };

type Chosen = { id: string; name: string } | null;

/** A tenant's row as it is after one of its assignments was changed. */
export const withAssigned = (
  row: TenantAssignments,
  { officeId }: Place,
  chosen: Chosen,
  { version }: Pick<FhirAssigned, "version">,
): TenantAssignments =>
  officeId === undefined
    ? { ...row, defaultFhirProvider: chosen, version }
    : { ...row, offices: row.offices.map((office) => (office.id === officeId ? { ...office, fhirProvider: chosen, version } : office)) };

/** Who is meant, what they have now, and which version that is; undefined for an office that is gone. */
export const holderOf = (row: TenantAssignments, { officeId }: Place): { name: string; assigned: Chosen; version: number } | undefined => {
  if (officeId === undefined) return { name: row.name, assigned: row.defaultFhirProvider, version: row.version };
  const office = row.offices.find(({ id }) => id === officeId);
  return office && { name: office.name, assigned: office.fhirProvider, version: office.version };
};

/** A tenant's assignments as they are now; there is only the list to find them in. undefined for a tenant that is gone. */
export const reread = async (tenantId: string): Promise<TenantAssignments | undefined> => {
  const rows = await readAll(fhirProviders.listFhirAssignments, { query: { limit: 100 } });
  return rows.find((row) => row.tenantId === tenantId);
};
