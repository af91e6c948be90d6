import { offices, type VoiceAgent } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";

type Named = Pick<VoiceAgent, "agentName">;

/** Which of these agents bear a name that another of them bears too. */
export const namesakes = (agents: readonly Named[]): ((agent: Named) => boolean) => {
  const counts = new Map<string, number>();
  for (const { agentName } of agents) counts.set(agentName, (counts.get(agentName) ?? 0) + 1);
  return ({ agentName }) => (counts.get(agentName) ?? 0) > 1;
};

/** As much of an ID as people compare. */
const shownEnd = 8;

/** "ID agent-2", or "ID ends in 41c7a90b" of a long one; nothing where it is called by its ID. */
export const endOfId = ({ externalAgentId, agentName }: Pick<VoiceAgent, "externalAgentId" | "agentName">): string[] => {
  if (externalAgentId === agentName) return [];
  return [externalAgentId.length <= shownEnd * 2 ? `ID ${externalAgentId}` : `ID ends in ${externalAgentId.slice(-shownEnd)}`];
};

/** Where a tenant's agents answer, in words. Its offices are asked for only where one of the agents answers for one. */
export const useOfficeNames = (tenantId: string, agents: readonly VoiceAgent[]): ((agent: VoiceAgent) => string) => {
  const when = agents.some(({ officeId }) => officeId !== undefined);
  const names = new Map(useApi(offices.listOffices, { params: { tenantId } }, { when }).data?.map(({ id, name }) => [id, name]));
  return ({ officeId }) => (officeId === undefined ? "Tenant-level" : (names.get(officeId) ?? "An office"));
};
