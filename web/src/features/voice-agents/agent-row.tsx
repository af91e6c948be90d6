import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { tenants, type VoiceAgent } from "@vitaline/contract";
import { useState } from "react";
import { chakra } from "@chakra-ui/react/styled-system";
import { SummaryRow } from "../../components/table/recent-rows.tsx";
import { platformNames } from "../../lib/format/labels.ts";
import { announce } from "../../lib/toast.ts";
import { useInlineAction } from "../../lib/api/use-action.ts";
import { isStale } from "../../lib/api/api-error.ts";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { announceRefusal, useOfficeNames } from "./agent-labels.ts";
import { useAll } from "../../lib/api/use-all.ts";

export type AgentRowProps = {
  agent: VoiceAgent;
  placeOf: (agent: VoiceAgent) => string | undefined;
  remove: (agent: VoiceAgent) => Promise<unknown>;
  onEdit: (agent: VoiceAgent) => void;
  onRemoved: (sentence: string) => Promise<void>;
  onChanged: () => Promise<void>;
};

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

type Props = Pick<AgentRowProps, "agent" | "remove" | "onRemoved" | "onChanged"> & { onClose: () => void };

const done = "Voice agent assignment deleted successfully";
const failed = "Failed to delete voice agent assignment";

const DeleteAgent = ({ agent, remove, onRemoved, onChanged, onClose }: Props) => {
  const { run, isBusy, failure } = useInlineAction(
    async () => {
      try {
        await remove(agent);
      } catch (error) {
        // Reload, so that a retry uses the current version.
        if (isStale(error)) await onChanged();
        throw error;
      }
      onClose();
      announce({ type: "success", title: done, description: agent.agentName });
      await onRemoved(done);
    },
    (error) => announceRefusal("Error", failed, error),
  );
  return (
    <Confirmation
      title="Delete assignment"
      action="Delete"
      busyAction="Deleting..."
      isBusy={isBusy}
      failure={failure}
      isDangerous
      onConfirm={() => run()}
      onCancel={onClose}
    >
      <p>Are you sure you want to delete this voice agent assignment?</p>
      <DeleteConsequences agent={agent} />
    </Confirmation>
  );
};

const DeleteConsequences = ({ agent }: { agent: VoiceAgent }) => {
  const { tenantId, officeId, agentName, externalAgentId, providerType, isActive } = agent;
  const placeOf = useOfficeNames(tenantId, [agent]);
  const tenant = useAll(tenants.listTenants, {}).data?.find(({ id }) => id === tenantId);
  const platform = platformNames[providerType];
  const place = `${tenant?.name ?? "its organization"}, ${officeId === undefined ? "all offices" : placeOf(agent)}`;
  return (
    <chakra.p mt="3" overflowWrap="anywhere">
      {`${agentName} (${platform}${externalAgentId === agentName ? "" : `, ID ${externalAgentId}`}) no longer answers for ${place}. `}
      {isActive
        ? `Calls go to another ${platform} agent that is assigned and active here; without one, they are not answered. `
        : "It is inactive, so it answers no calls now. "}
      {`The agent itself stays at ${platform} and can be assigned again.`}
    </chakra.p>
  );
};
