import { Button } from "@chakra-ui/react/button";
import { chakra } from "@chakra-ui/react/styled-system";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { tenantVoiceAgents, type VoiceAgent } from "@vitaline/contract";
import { useState } from "react";
import { explain, isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { ActiveBadge } from "../../components/data/badges.tsx";
import { Confirmation } from "../../components/dialog/confirmation.tsx";
import { RowListItem } from "../../components/table/row-list.tsx";
import { Failure } from "../../components/feedback/notices.tsx";
import { platformNames } from "../../lib/format/labels.ts";
import { useToldAction } from "../../lib/api/use-action.ts";

type Props = { agent: VoiceAgent; officeId: string; onChanged: () => Promise<void>; /** Its row is gone. */ onRemoved: () => void };

const inWords = (error: unknown): string =>
  isStale(error) ? "Somebody else has changed this agent in the meantime. It is shown as it is now: please try again." : explain(error);

/** An agent that answers for the office, switched on or off, or to be taken away. */
export const AgentRow = ({ agent, officeId, onChanged, onRemoved }: Props) => {
  const { id, agentName, externalAgentId, providerType, isActive, version } = agent;
  const [isAsking, setIsAsking] = useState(false);
  const params = { officeId, id };
  /** Shown anew also where somebody else was faster, so that the next try is of what is there now. */
  const thenShow = async (asked: Promise<unknown>): Promise<void> => {
    try {
      await asked;
    } catch (error) {
      if (isStale(error)) await onChanged();
      throw error;
    }
    await onChanged();
  };
  const change = useToldAction(
    () => thenShow(call(tenantVoiceAgents.updateOwnVoiceAgent, { params, body: { isActive: !isActive } }, { ifMatch: version })),
    inWords,
  );
  const remove = useToldAction(async () => {
    try {
      await thenShow(call(tenantVoiceAgents.deleteOwnVoiceAgent, { params }, { ifMatch: version }));
      onRemoved();
    } finally {
      setIsAsking(false);
    }
  }, inWords);
  return (
    <RowListItem>
      <chakra.div minW="0" flex="1">
        <chakra.p fontWeight="semibold" overflowWrap="anywhere">
          {agentName} <ActiveBadge isActive={isActive} />
        </chakra.p>
        <chakra.p textStyle="sm" color="fg.muted" overflowWrap="anywhere">{`${platformNames[providerType]} · ${externalAgentId}`}</chakra.p>
        <Failure text={change.failure ?? remove.failure} />
      </chakra.div>
      <chakra.div display="flex" gap="2" flexWrap="wrap" justifyContent="flex-end">
        <Button size="sm" variant="outline" aria-disabled={change.isBusy} onClick={change.run}>
          {change.isBusy ? "Saving..." : isActive ? "Switch off" : "Switch on"}
          <VisuallyHidden>{` ${agentName}`}</VisuallyHidden>
        </Button>
        <Button size="sm" variant="ghost" colorPalette="red" onClick={() => setIsAsking(true)}>
          Remove
          <VisuallyHidden>{` ${agentName}`}</VisuallyHidden>
        </Button>
      </chakra.div>
      {isAsking ? (
        <Confirmation
          title="Remove voice agent"
          action="Remove"
          busyAction="Removing..."
          isBusy={remove.isBusy}
          isDangerous
          onConfirm={remove.run}
          onCancel={() => setIsAsking(false)}
        >
          Are you sure you want to delete this voice agent assignment? {agentName} will no longer answer for this office.
        </Confirmation>
      ) : null}
    </RowListItem>
  );
};
