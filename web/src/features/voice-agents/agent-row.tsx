import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import type { VoiceAgent } from "@vitaline/contract";
import { useState } from "react";
import { SummaryRow } from "../../components/table/recent-rows.tsx";
import { platformNames } from "../../lib/format/labels.ts";
import { DeleteAgent } from "./delete-agent.tsx";

export type AgentRowProps = {
  agent: VoiceAgent;
  placeOf: (agent: VoiceAgent) => string | undefined;
  remove: (agent: VoiceAgent) => Promise<unknown>;
  onEdit: (agent: VoiceAgent) => void;
  /** Its row is gone. */ onRemoved: (sentence: string) => Promise<void>;
  onChanged: () => Promise<void>;
};

/** One agent that answers. */
export const AgentRow = ({ agent, placeOf, remove, onEdit, onRemoved, onChanged }: AgentRowProps) => {
  const [isAsking, setIsAsking] = useState(false);
  const { id, agentName, providerType, externalAgentId, isActive } = agent;
  const place = placeOf(agent);
  const details = [
    platformNames[providerType],
    ...(externalAgentId === agentName ? [] : [externalAgentId]),
    ...(place === undefined ? [] : [place]),
  ];
  return (
    <SummaryRow line={{ id, title: agentName, details, isActive }}>
      <Flex gap="2" wrap="wrap" justify="flex-end">
        <Button size="sm" variant="outline" onClick={() => onEdit(agent)}>
          Edit
          <VisuallyHidden>{` ${agentName}`}</VisuallyHidden>
        </Button>
        <Button size="sm" variant="outline" colorPalette="red" onClick={() => setIsAsking(true)}>
          Delete
          <VisuallyHidden>{` ${agentName}`}</VisuallyHidden>
        </Button>
      </Flex>
      {isAsking ? <DeleteAgent {...{ agent, remove, onRemoved, onChanged }} onClose={() => setIsAsking(false)} /> : null}
    </SummaryRow>
  );
};
