import { offices, type VoiceAgent } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";

/** Where a tenant's agents answer, in words. Its offices are asked for only where one of the agents answers for one. */
export const useOfficeNames = (tenantId: string, agents: readonly VoiceAgent[]): ((agent: VoiceAgent) => string) => {
  const when = agents.some(({ officeId }) => officeId !== undefined);
  const names = new Map(useApi(offices.listOffices, { params: { tenantId } }, { when }).data?.map(({ id, name }) => [id, name]));
  return ({ officeId }) => (officeId === undefined ? "Tenant-level" : (names.get(officeId) ?? "An office"));
};
