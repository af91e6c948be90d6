import { tenantOffices } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";

/** The tenant's offices by id, as far as they are known; whoever shows them shares one request. */
export const useOfficeNames = (): ReadonlyMap<string, string> => {
  const { data = [] } = useApi(tenantOffices.officeCards, {});
  return new Map(data.map(({ id, name }) => [id, name]));
};
