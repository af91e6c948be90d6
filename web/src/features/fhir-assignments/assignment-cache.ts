import { type FhirAssigned, fhirProviders, type TenantAssignments } from "@vitaline/contract";
import { readAll } from "../../lib/api/use-all.ts";

export type AssignmentTarget = { tenantId: string; officeId?: string };

type ProviderRef = { id: string; name: string } | null;

/** The tenant's row after an assignment was changed. */
export const withAssignment = (
  row: TenantAssignments,
  { officeId }: AssignmentTarget,
  chosen: ProviderRef,
  { version }: Pick<FhirAssigned, "version">,
): TenantAssignments =>
  officeId === undefined
    ? { ...row, defaultFhirProvider: chosen, version }
    : { ...row, offices: row.offices.map((office) => (office.id === officeId ? { ...office, fhirProvider: chosen, version } : office)) };

/** undefined if the office does not exist any more */
export const findTarget = (
  row: TenantAssignments,
  { officeId }: AssignmentTarget,
): { name: string; assigned: ProviderRef; version: number } | undefined => {
  if (officeId === undefined) return { name: row.name, assigned: row.defaultFhirProvider, version: row.version };
  const office = row.offices.find(({ id }) => id === officeId);
  return office && { name: office.name, assigned: office.fhirProvider, version: office.version };
};

/** The names of those that have no record system once this assignment is removed. */
export const withoutProvider = (row: TenantAssignments, { officeId }: AssignmentTarget, assigned: ProviderRef): string[] => {
  if (assigned === null) return [];
  if (officeId !== undefined)
    return row.defaultFhirProvider === null ? row.offices.filter(({ id }) => id === officeId).map(({ name }) => name) : [];
  const inheriting = row.offices.filter(({ isActive, fhirProvider }) => isActive && fhirProvider === null).map(({ name }) => name);
  return row.offices.some(({ isActive }) => isActive) ? inheriting : [row.name];
};

/** Reads all pages of the list, as there is no route for one tenant; undefined if the tenant is gone. */
export const reloadAssignments = async (tenantId: string): Promise<TenantAssignments | undefined> => {
  const rows = await readAll(fhirProviders.listFhirAssignments, { query: { limit: 100 } });
  return rows.find((row) => row.tenantId === tenantId);
};
