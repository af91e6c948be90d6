import { fhirProviders, type TenantAssignments } from "@vitaline/contract";
import { readAll } from "../../lib/api/use-all.ts";

/** A tenant's assignments as they are now; there is only the list to find them in. undefined for a tenant that is gone. */
export const reread = async (tenantId: string): Promise<TenantAssignments | undefined> => {
  const rows = await readAll(fhirProviders.listFhirAssignments, { query: { limit: 100 } });
  return rows.find((row) => row.tenantId === tenantId);
};
