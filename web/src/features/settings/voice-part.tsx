import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type OwnVoiceProvider, tenant, tenantVoiceProviders } from "@vitaline/contract";
import AudioLines from "lucide-react/dist/esm/icons/audio-lines.mjs";
import Plus from "lucide-react/dist/esm/icons/plus.mjs";
import { lazy, Suspense, useState } from "react";
import { Empty } from "../../components/feedback/empty.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { TextLink } from "../../components/layout/links.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { RowList } from "../../components/table/row-list.tsx";
import { useAll } from "../../lib/api/use-all.ts";
import { call } from "../../lib/api/call.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useFocusLater } from "../../lib/dom/use-later-focus.ts";
import { type ProviderActions, ProviderRow } from "../voice-providers/provider-row.tsx";

const VoiceProviderDialog = lazy(() => import("../voice-providers/own-voice-provider-dialog.tsx"));

const VoicePart = () => {
  const providers = useAll(tenantVoiceProviders.listOwnVoiceProviders, {});
  const mayChange = useApi(tenant.tenantSettings, {}).data?.policies.ownVoiceProviders;
  const [opened, setOpened] = useState<string>();
  const refresh = useRefresh();
  const { button, focusLater } = useFocusLater();
  const reread = () => refresh(tenantVoiceProviders.listOwnVoiceProviders);
  const actionsOf = ({ id }: OwnVoiceProvider): ProviderActions => ({
    remove: () => call(tenantVoiceProviders.deleteOwnVoiceProvider, { params: { providerId: id } }),
    onEdit: () => setOpened(id),
    onRemoved: () => {
      focusLater();
      return reread();
    },
    onChanged: reread,
  });
  return (
    <Panel
      title="Voice platforms"
      description="Your organization's accounts at voice platforms, which its calls come from."
      actions={
        mayChange ? (
          <Button ref={button} size="sm" aria-haspopup="dialog" onClick={() => setOpened("new")}>
            <Plus aria-hidden />
            Add Provider
          </Button>
        ) : null
      }
    >
      <Stack gap="5">
        {mayChange === false ? (
          <Text color="fg.muted">
            The platform sets up voice platforms for your organization. Ask it for a change under{" "}
            <TextLink to="/tenant/settings/requests">Requests</TextLink>.
          </Text>
        ) : null}
        <Loadable loaded={providers} what="voice platforms" skeleton={<RowSkeletons />}>
          {(list: OwnVoiceProvider[]) => <ProviderList providers={list} actionsOf={mayChange ? actionsOf : undefined} />}
        </Loadable>
      </Stack>
      <Suspense fallback={null}>
        {opened === undefined ? null : (
          <VoiceProviderDialog id={opened === "new" ? undefined : opened} onClose={() => setOpened(undefined)} />
        )}
      </Suspense>
    </Panel>
  );
};

type ListProps = {
  providers: readonly OwnVoiceProvider[];
  actionsOf: ((provider: OwnVoiceProvider) => ProviderActions) | undefined;
};

const ProviderList = ({ providers, actionsOf }: ListProps) =>
  providers.length === 0 ? (
    <Empty icon={AudioLines} title="No voice platforms" description="Calls can come in once an account at a voice platform is connected." />
  ) : (
    <RowList label="Voice platforms">
      {providers.map((provider) => (
        <ProviderRow key={provider.id} provider={provider} webhookUrl={provider.webhookUrl} actions={actionsOf?.(provider)} />
      ))}
    </RowList>
  );

export default VoicePart;
