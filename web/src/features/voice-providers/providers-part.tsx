import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ChangedVoiceProvider, type NewVoiceProvider, type VoiceProvider, voiceProviders } from "@vitaline/contract";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { useState } from "react";
import AudioLines from "lucide-react/dist/esm/icons/audio-lines.mjs";
import { useAll } from "../../lib/api/use-all.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import type { FormState } from "../../lib/forms/drafts.ts";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { Success } from "../../components/feedback/alerts.tsx";
import { AddProvider, EditProvider } from "./add-and-edit-provider.tsx";
import { Empty } from "../../components/feedback/empty.tsx";
import { RowList } from "../../components/table/row-list.tsx";
import { type ProviderActions, providerDetails, ProviderRow } from "./provider-row.tsx";
import { call } from "../../lib/api/call.ts";

type Props = { tenantId: string; onForm: (state: FormState) => void; onChanged: () => Promise<void> };

export const ProvidersPart = ({ tenantId, onForm, onChanged }: Props) => {
  const refresh = useRefresh();
  const providers = useAll(voiceProviders.listVoiceProviders, { params: { tenantId } });
  const [opened, setOpened] = useState<string>();
  const [message, setMessage] = useState<string>();
  const { button, focusLater } = useFocusLater();
  const open = (what: string) => {
    setOpened(what);
    setMessage(undefined);
  };
  const close = () => {
    setOpened(undefined);
    focusLater();
  };
  const reread = () => refresh(voiceProviders.listVoiceProviders);
  const form = {
    calls: {
      create: (body: NewVoiceProvider) => call(voiceProviders.createVoiceProvider, { params: { tenantId }, body }),
      update: (id: string, body: ChangedVoiceProvider, ifMatch: number) =>
        call(voiceProviders.updateVoiceProvider, { params: { tenantId, id }, body }, { ifMatch }),
    },
    onForm,
    onCancel: close,
    onSaved: async (sentence: string) => {
      setMessage(sentence);
      close();
      await Promise.all([reread(), onChanged()]);
    },
  };
  const actionsOf = ({ id, version }: VoiceProvider): ProviderActions => ({
    remove: () => call(voiceProviders.deleteVoiceProvider, { params: { tenantId, id } }, { ifMatch: version }),
    onEdit: () => open(id),
    onRemoved: form.onSaved,
    onChanged: reread,
  });
  const edited = providers.data?.find(({ id }) => id === opened);
  if (opened === "new") return <AddProvider {...form} />;
  if (edited) return <EditProvider {...form} provider={edited} reread={reread} />;
  return (
    <Stack gap="5">
      <Flex justify="space-between" align="center" gap="3" wrap="wrap">
        <chakra.h3 fontWeight="semibold">Voice providers</chakra.h3>
        <Button ref={button} size="sm" onClick={() => open("new")}>
          <Plus aria-hidden />
          Add Provider
        </Button>
      </Flex>
      <Success text={message} />
      <Loadable loaded={providers} what="voice providers" failed="Failed to fetch voice providers" skeleton={<RowSkeletons />}>
        {(list: VoiceProvider[]) => <ProviderList providers={list} actionsOf={actionsOf} />}
      </Loadable>
    </Stack>
  );
};

type ListProps = { providers: readonly VoiceProvider[]; actionsOf: (provider: VoiceProvider) => ProviderActions };

const ProviderList = ({ providers, actionsOf }: ListProps) =>
  providers.length === 0 ? (
    <Empty
      icon={AudioLines}
      title="No voice providers configured for this organization."
      description="Add the account at the voice platform that its calls come from."
    />
  ) : (
    <RowList label="Voice providers">
      {providers.map((provider) => (
        <ProviderRow
          key={provider.id}
          provider={provider}
          webhookUrl={provider.config.webhookUrl}
          details={providerDetails(provider)}
          actions={actionsOf(provider)}
        />
      ))}
    </RowList>
  );
