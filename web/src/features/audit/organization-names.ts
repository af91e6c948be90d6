import { type PlatformAuditLog, tenants } from "@vitaline/contract";
import { useAll } from "../../lib/api/use-all.ts";

const ofThePlatform = "The platform";

/** Whom an event concerns; an organization without a name stands for itself. */
export const organizationOf = ({ tenantId, tenantName }: Pick<PlatformAuditLog, "tenantId" | "tenantName">): string =>
  tenantName ?? tenantId ?? ofThePlatform;

/** What tenants are called; an id of none stands for itself, and so does any as long as they are not known. */
export const useOrganizationNames = () => {
  const { data = [] } = useAll(tenants.listTenants, {});
  const nameOf = (tenantId: string | null): string =>
    organizationOf({ tenantId, tenantName: data.find(({ id }) => id === tenantId)?.name ?? null });
  return { organizations: data, nameOf };
};
