import { Alert } from "@chakra-ui/react/alert";
import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";
import { type ApiKey, apiKeys, tenant, type TenantInfo } from "@vitaline/contract";
import { useState } from "react";
import { ApiError, explain } from "../../api/api-error.ts";
import { type Loaded, useApi } from "../../api/use-api.ts";
import { useAuth } from "../../app/auth.tsx";
import { Loadable } from "../../components/loadable.tsx";
import { Panel } from "../../components/panel.tsx";
import { FormerKeys } from "./former-keys.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { KeyLine } from "./key-line.tsx";
import { readKey } from "./read-key.ts";
import { currentOf } from "./regenerate.ts";
import { Regeneration } from "./regeneration.tsx";
import { useShown } from "./use-shown.ts";

/** The tenant's key. What stands here without it comes without it, so that no cache ever holds a key. */
export const KeyPanel = () => {
  const info = useApi(tenant.tenantInfo, { query: { withKey: "false" } });
  const keys = useApi(apiKeys.listApiKeys, {});
  return (
    <Panel title="API Key Management" description="The key that your voice platforms present with every request.">
      {info.error instanceof ApiError && info.error.status === 403 ? (
        <UnseenKey why={explain(info.error)} keys={keys.data} />
      ) : (
        <Loadable loaded={info} what="API key information" skeleton={<KeySkeleton />}>
          {(facts) => <Key facts={facts} keys={keys} />}
        </Loadable>
      )}
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

const Key = ({ facts, keys }: { facts: TenantInfo; keys: Loaded<ApiKey[]> }) => {
  const { secret, isReading, show, hide, reveal } = useShown(readKey);
  const [isNew, setIsNew] = useState(false);
  const receive = (apiKey: string) => {
    reveal(apiKey);
    setIsNew(true);
  };
  return (
    <Stack gap="6">
      <KeyLine tenantId={facts.tenantId} apiKey={secret} isReading={isReading} onShow={show} onHide={hide} />
      {isNew ? (
        <Alert.Root status="success" as="output">
          <Alert.Description>New API key generated successfully. Update your platform configurations with the new key.</Alert.Description>
        </Alert.Root>
      ) : null}
      <KeyFacts facts={facts} current={currentOf(keys.data)} />
      <Loadable loaded={keys} what="former API keys" skeleton={null}>
        {(list) => <FormerKeys keys={list} />}
      </Loadable>
      <Regeneration keys={keys.data} onNewKey={receive} />
    </Stack>
  );
};

/** For who looks at the tenant from the platform's side: everything but the key and what changes it. */
const UnseenKey = ({ why, keys }: { why: string; keys: ApiKey[] | undefined }) => {
  const { user } = useAuth();
  const current = currentOf(keys);
  return (
    <Stack gap="6">
      <Alert.Root status="info">
        <Alert.Description>{why}</Alert.Description>
      </Alert.Root>
      <KeyFacts
        facts={{ organizationName: user?.tenantName ?? "", isActive: current !== undefined, createdAt: undefined }}
        current={current}
      />
    </Stack>
  );
};
