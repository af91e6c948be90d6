import { tenants } from "@vitaline/contract";
import { useAll } from "../../api/use-all.ts";

/** What tenants are called; an id of none stands for itself, and so does any as long as they are not known. */
export const useOrganizationNames = () => {
  const { data = [] } = useAll(tenants.listTenants, {});
  const nameOf = (tenantId: string | null): string =>
    tenantId === null ? "The platform" : (data.find(({ id }) => id === tenantId)?.name ?? tenantId);
  return { organizations: data, nameOf };
};
