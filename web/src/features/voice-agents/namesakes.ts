import type { VoiceAgent } from "@vitaline/contract";

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
