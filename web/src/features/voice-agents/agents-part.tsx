import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type NewVoiceAgent, type VoiceAgent, type VoiceProvider, voiceProviders } from "@vitaline/contract";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { useState } from "react";
import Bot from "lucide-react/dist/esm/icons/bot.mjs";
import { Alert } from "@chakra-ui/react/alert";
import { useAll } from "../../lib/api/use-all.ts";
import type { Loaded } from "../../lib/api/use-api.ts";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import type { FormState } from "../../lib/forms/drafts.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Success } from "../../components/feedback/alerts.tsx";
import { AssignForm } from "./assign-form.tsx";
import { EditForm } from "./edit-form.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { RowList } from "../../components/table/row-list.tsx";
import { AgentRow, type AgentRowProps } from "./agent-row.tsx";

export type AgentsPartProps = {
  tenantId: string;
  agents: Loaded<VoiceAgent[]>;
  placeOf: (agent: VoiceAgent) => string | undefined;
  assign: (body: NewVoiceAgent) => Promise<unknown>;
  change: (agent: VoiceAgent, isActive: boolean) => Promise<unknown>;
  remove: (agent: VoiceAgent) => Promise<unknown>;
  onForm: (state: FormState) => void;
  onChanged: () => Promise<void>;
};

export const AgentsPart = ({ tenantId, agents, placeOf, assign, change, remove, onForm, onChanged }: AgentsPartProps) => {
  const providers = useAll(voiceProviders.listVoiceProviders, { params: { tenantId } });
  const active = (providers.data ?? []).filter(({ isActive }) => isActive);
  const [opened, setOpened] = useState<string>();
  const [message, setMessage] = useState<string>();
  const { button, focusLater } = useFocusLater<HTMLHeadingElement>();
  const open = (what: string) => {
    setOpened(what);
    setMessage(undefined);
  };
  const close = () => {
    setOpened(undefined);
    focusLater();
  };
  const done = async (sentence: string) => {
    setMessage(sentence);
    close();
    await onChanged();
  };
  const form = { onForm, onCancel: close, onSaved: done };
  const edited = agents.data?.find(({ id }) => id === opened);
  if (opened === "new") return <AssignForm {...form} providers={active} assign={assign} />;
  if (edited) return <EditForm {...form} agent={edited} providers={providers.data ?? []} change={change} reread={onChanged} />;
  return (
    <Stack gap="5">
      <Flex justify="space-between" align="center" gap="3" wrap="wrap">
        <chakra.h3 ref={button} tabIndex={-1} fontWeight="semibold" outline="0">
          Voice agent assignments
        </chakra.h3>
        <Button size="sm" disabled={active.length === 0} onClick={() => open("new")}>
          <Plus aria-hidden />
          Assign Agent
        </Button>
      </Flex>
      <Success text={message} />
      <Loadable loaded={providers} what="voice providers" failed="Failed to fetch providers" skeleton={null}>
        {(list) => <NoProviders providers={list} />}
      </Loadable>
      <Loadable loaded={agents} what="voice agent assignments" failed="Failed to fetch voice agent assignments" skeleton={<RowSkeletons />}>
        {(list) => <AgentList {...{ agents: list, placeOf, remove, onChanged }} onEdit={({ id }) => open(id)} onRemoved={done} />}
      </Loadable>
    </Stack>
  );
};

const NoProviders = ({ providers }: { providers: readonly VoiceProvider[] }) => {
  if (providers.some(({ isActive }) => isActive)) return null;
  return (
    <Alert.Root status="warning">
      <Alert.Indicator />
      <Alert.Description>
        {providers.length === 0
          ? "You need to configure at least one voice provider before assigning agents."
          : "None of this organization's voice providers is active. Activate one before assigning agents."}
      </Alert.Description>
    </Alert.Root>
  );
};

type Props = Omit<AgentRowProps, "agent"> & { agents: readonly VoiceAgent[] };

const AgentList = ({ agents, ...row }: Props) =>
  agents.length === 0 ? (
    <Empty
      icon={Bot}
      title="No voice agent assignments configured yet."
      description="Assign one of the agents that the organization has at its voice platform."
    />
  ) : (
    <RowList label="Voice agent assignments">
      {agents.map((agent) => (
        <AgentRow key={agent.id} agent={agent} {...row} />
      ))}
    </RowList>
  );
