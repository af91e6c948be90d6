import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { tenantOffices, tenantVoiceAgents, tenantVoiceProviders } from "@vitaline/contract";
import Bot from "lucide-react/dist/esm/icons/bot.mjs";
import { useApi } from "../../lib/api/use-api.ts";
import { usePages } from "../../lib/api/use-pages.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import type { TellDraft } from "../../lib/forms/drafts.ts";
import { useLaterFocus } from "../../lib/dom/use-later-focus.ts";
import { Empty } from "../../components/feedback/empty.tsx";
import { LoadMore } from "../../components/table/load-more.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { RowList } from "../../components/table/row-list.tsx";
import { AgentRow } from "./agent-row.tsx";
import { AssignAgent } from "./assign-agent.tsx";

/** The agents that answer for one office: which they are, and the way to let another one answer. */
export const AgentsPart = ({ officeId, onDraft }: { officeId: string; onDraft: TellDraft }) => {
  const refresh = useRefresh();
  const agents = usePages(tenantVoiceAgents.listOwnVoiceAgents, {});
  const providers = useApi(tenantVoiceProviders.listOwnVoiceProviders, {});
  const onChanged = () => refresh(tenantVoiceAgents.listOwnVoiceAgents, tenantOffices.officeCards);
  const { button: heading, focusLater } = useLaterFocus<HTMLHeadingElement>();
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
              title="No voice agent of its own"
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
