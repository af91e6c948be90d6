import { type PlatformAuditLog, tenants } from "@vitaline/contract";
import { useAll } from "../../lib/api/use-all.ts";

const platformName = "The platform";

export const organizationName = ({ tenantId, tenantName }: Pick<PlatformAuditLog, "tenantId" | "tenantName">): string =>
  tenantName ?? tenantId ?? platformName;

/** Falls back to the id for unknown tenants and until the list has loaded. */
export const useOrganizationNames = () => {
  const { data = [] } = useAll(tenants.listTenants, {});
  const nameOf = (tenantId: string | null): string =>
    organizationName({ tenantId, tenantName: data.find(({ id }) => id === tenantId)?.name ?? null });
  return { organizations: data, nameOf };
};
