import { offices, type VoiceAgent } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { announce } from "../../lib/toast.ts";

type Named = Pick<VoiceAgent, "agentName">;

/** Returns whether another agent has the same name. */
export const findDuplicateNames = (agents: readonly Named[]): ((agent: Named) => boolean) => {
  const counts = new Map<string, number>();
  for (const { agentName } of agents) counts.set(agentName, (counts.get(agentName) ?? 0) + 1);
  return ({ agentName }) => (counts.get(agentName) ?? 0) > 1;
};

const suffixLength = 8;

/** "ID agent-2", or "ID ends in 41c7a90b" if it is long; empty if the name is the ID. */
export const idSuffix = ({ externalAgentId, agentName }: Pick<VoiceAgent, "externalAgentId" | "agentName">): string[] => {
  if (externalAgentId === agentName) return [];
  return [externalAgentId.length <= suffixLength * 2 ? `ID ${externalAgentId}` : `ID ends in ${externalAgentId.slice(-suffixLength)}`];
};

/** Loads the offices only if an agent is assigned to one. */
export const useOfficeNames = (tenantId: string, agents: readonly VoiceAgent[]): ((agent: VoiceAgent) => string) => {
  const when = agents.some(({ officeId }) => officeId !== undefined);
  const names = new Map(useApi(offices.listOffices, { params: { tenantId } }, { when }).data?.map(({ id, name }) => [id, name]));
  return ({ officeId }) => (officeId === undefined ? "Tenant-level" : (names.get(officeId) ?? "An office"));
};

/** Shows a toast and returns the message for the dialog, which covers the toast. */
export const announceRefusal = (title: string, failed: string, error: unknown): string => {
  const reason = isStale(error)
    ? "Another user has changed it in the meantime. The current version is shown; please try again."
    : explain(error);
  announce({ type: "error", title, description: `${failed}. ${reason}` });
  return `${failed}. ${reason}`;
};
