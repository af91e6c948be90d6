import { tenantOffices } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";

/** Office names by id; empty until loaded, and where they are not needed. All callers share one request. */
export const useOfficeNames = (when = true): ReadonlyMap<string, string> => {
  const { data = [] } = useApi(tenantOffices.officeCards, {}, { when });
  return new Map(data.map(({ id, name }) => [id, name]));
};
