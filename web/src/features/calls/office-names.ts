import { tenantOffices } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";

/** Office names by id; empty until loaded. All callers share one request. */
export const useOfficeNames = (): ReadonlyMap<string, string> => {
  const { data = [] } = useApi(tenantOffices.officeCards, {});
  return new Map(data.map(({ id, name }) => [id, name]));
};
