import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { tenantOffices, tenantVoiceAgents, tenantVoiceProviders, type VoiceAgent } from "@vitaline/contract";
import Bot from "lucide-react/dist/esm/icons/bot.mjs";
import { Button } from "@chakra-ui/react/button";
import { VisuallyHidden } from "@chakra-ui/react/visually-hidden";
import { useState } from "react";
import { useApi } from "../../../lib/api/use-api.ts";
import { usePages } from "../../../lib/api/use-pages.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import type { ReportDraft } from "../../../lib/forms/drafts.ts";
import { useFocusLater } from "../../../lib/dom/use-later-focus.ts";
import { Empty } from "../../../components/feedback/empty.tsx";
import { LoadMore } from "../../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { RowList, RowListItem } from "../../../components/table/row-list.tsx";
import { AssignAgent } from "./assign-agent.tsx";
import { explain, isStale } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";
import { ActiveBadge } from "../../../components/data/badges.tsx";
import { Confirmation } from "../../../components/dialog/confirmation.tsx";
import { Failure } from "../../../components/feedback/alerts.tsx";
import { platformNames } from "../../../lib/format/labels.ts";
import { useInlineAction } from "../../../lib/api/use-action.ts";

export const AgentsPart = ({ officeId, onDraft }: { officeId: string; onDraft: ReportDraft }) => {
  const refresh = useRefresh();
  const agents = usePages(tenantVoiceAgents.listOwnVoiceAgents, {});
  const providers = useApi(tenantVoiceProviders.listOwnVoiceProviders, {});
  const onChanged = () => refresh(tenantVoiceAgents.listOwnVoiceAgents, tenantOffices.officeCards);
  const { button: heading, focusLater } = useFocusLater<HTMLHeadingElement>();
  return (
    <Stack gap="6">
      <chakra.h3 ref={heading} tabIndex={-1} fontWeight="semibold" mb="-3">
        Who answers
      </chakra.h3>
      <Loadable loaded={agents} what="voice agents" skeleton={<RowSkeletons />}>
        {(all) => {
          const own = all.filter((agent) => agent.officeId === officeId);
          return own.length === 0 && !agents.hasMore ? (
            <Empty
              icon={Bot}
              title="No voice agent for this office"
              description="Calls to this office are answered by your organization's agents until one is assigned below."
            />
          ) : (
            <chakra.div py="3">
              <RowList label="Voice agents of this office">
                {own.map((agent) => (
                  <AgentRow key={agent.id} agent={agent} officeId={officeId} onChanged={onChanged} onRemoved={focusLater} />
                ))}
              </RowList>
              {agents.hasMore ? <LoadMore pages={{ ...agents, data: own }} what="voice agents of this office" /> : null}
            </chakra.div>
          );
        }}
      </Loadable>
      <Loadable loaded={providers} what="voice platforms" skeleton={<RowSkeletons />}>
        {(list) => <AssignAgent officeId={officeId} providers={list} onAssigned={onChanged} onDraft={onDraft} />}
      </Loadable>
    </Stack>
  );
};

type Props = { agent: VoiceAgent; officeId: string; onChanged: () => Promise<void>; onRemoved: () => void };

const AgentRow = ({ agent, officeId, onChanged, onRemoved }: Props) => {
  const { id, agentName, externalAgentId, providerType, isActive, version } = agent;
  const [isAsking, setIsAsking] = useState(false);
  const params = { officeId, id };
  /** Reloads also after a conflict, so that the next attempt applies to the current version. */
  const thenShow = async (asked: Promise<unknown>): Promise<void> => {
    try {
      await asked;
    } catch (error) {
      if (isStale(error)) await onChanged();
      throw error;
    }
    await onChanged();
  };
  const change = useInlineAction(
    () => thenShow(call(tenantVoiceAgents.updateOwnVoiceAgent, { params, body: { isActive: !isActive } }, { ifMatch: version })),
    explainFailure,
  );
  const remove = useInlineAction(async () => {
    try {
      await thenShow(call(tenantVoiceAgents.deleteOwnVoiceAgent, { params }, { ifMatch: version }));
      onRemoved();
    } finally {
      setIsAsking(false);
    }
  }, explainFailure);
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

const explainFailure = (error: unknown): string =>
  isStale(error) ? "Someone else has changed this agent. The current version is shown: please try again." : explain(error);
