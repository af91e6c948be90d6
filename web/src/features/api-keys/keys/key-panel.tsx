import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";
import { type ApiKey, apiKeys, tenant, type TenantInfo } from "@vitaline/contract";
import { Alert } from "@chakra-ui/react/alert";
import { useState } from "react";
import { type Loaded, useApi } from "../../../lib/api/use-api.ts";
import { useAuth } from "../../../lib/session/auth.tsx";
import { Loadable } from "../../../components/feedback/loadable.tsx";
import { Panel } from "../../../components/layout/panel.tsx";
import { activeKey, readKey } from "./regenerate.ts";
import { announce } from "../../../lib/toast.ts";
import { markKeyCopied } from "../../onboarding/progress.ts";
import { FormerKeys, useRevokeOwnKey } from "./former-keys.tsx";
import { CurrentKey, KeyLine } from "./key-line.tsx";
import { Regeneration } from "./regeneration.tsx";
import { useRevealedSecret } from "./use-revealed-secret.ts";
import { ActiveBadge } from "../../../components/data/badges.tsx";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { formatDay, useZone } from "../../../lib/format/times.ts";

/** `withKey: "false"` keeps the key out of every cache. */
export const KeyPanel = () => {
  const { user } = useAuth();
  const info = useApi(tenant.tenantInfo, { query: { withKey: "false" } });
  const keys = useApi(apiKeys.listApiKeys, {});
  return (
    <Panel title="API Key Management" description="The key that your voice platforms send with every request.">
      <Loadable loaded={info} what="API key information" skeleton={<KeySkeleton />}>
        {(facts) => (user?.viewAs ? <HiddenKey facts={facts} keys={keys} /> : <OwnKey facts={facts} keys={keys} />)}
      </Loadable>
    </Panel>
  );
};

const KeySkeleton = () => (
  <Stack gap="6" aria-hidden>
    <Skeleton h="9" />
    <Skeleton h="24" maxW="md" />
    <Skeleton h="16" />
  </Stack>
);

const HiddenKey = ({ facts, keys }: { facts: TenantInfo; keys: Loaded<ApiKey[]> }) => (
  <Stack gap="6">
    <Alert.Root status="info">
      <Alert.Description>A tenant's API key is not shown while you view as the tenant.</Alert.Description>
    </Alert.Root>
    <KeyFacts facts={facts} current={activeKey(keys.data)} />
    <Loadable loaded={keys} what="API keys" skeleton={null}>
      {() => null}
    </Loadable>
  </Stack>
);

type Props = {
  facts: Pick<TenantInfo, "organizationName" | "isActive" | "createdAt">;
  /** undefined until loaded */
  current: ApiKey | undefined;
};

const KeyFacts = ({ facts: { organizationName, isActive, createdAt }, current }: Props) => {
  const zone = useZone();
  return (
    <DetailList
      details={[
        ["Status", <ActiveBadge key="status" isActive={isActive} />],
        ["Organization", organizationName || "Not set"],
        ["Created", createdAt ? formatDay(createdAt, zone) : "Unknown"],
        ["Current key", current && <CurrentKey key="current" current={current} />],
      ]}
    />
  );
};

const newKeyNotices = {
  shown: "New API key generated successfully. Update your platform configurations with the new key.",
  unread: "The API key was replaced, but the new one could not be read just now. Press Show to see it.",
};

const OwnKey = ({ facts, keys }: { facts: TenantInfo; keys: Loaded<ApiKey[]> }) => {
  const { secret, isReading, show, hide, reveal } = useRevealedSecret(readKey);
  const end = useRevokeOwnKey();
  const [isNew, setIsNew] = useState<"shown" | "unread">();
  const receive = (apiKey: string | null) => {
    if (apiKey === null) hide();
    else reveal(apiKey);
    setIsNew(apiKey === null ? "unread" : "shown");
  };
  return (
    <Stack gap="6">
      <KeyLine
        apiKey={secret}
        isReading={isReading}
        onShow={show}
        onHide={hide}
        onCopied={() => {
          markKeyCopied(facts.tenantId);
          announce({ type: "success", title: "Copied", description: "API key copied to clipboard" });
        }}
      />
      {isNew ? (
        <Alert.Root status="success" as="output">
          <Alert.Description>{newKeyNotices[isNew]}</Alert.Description>
        </Alert.Root>
      ) : null}
      <KeyFacts facts={facts} current={activeKey(keys.data)} />
      <Loadable loaded={keys} what="former API keys" skeleton={null}>
        {(list) => <FormerKeys keys={list} end={end} />}
      </Loadable>
      <Regeneration keys={keys.data} onNewKey={receive} />
    </Stack>
  );
};
