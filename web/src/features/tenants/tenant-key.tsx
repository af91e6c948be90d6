import { Alert } from "@chakra-ui/react/alert";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { tenants } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { announce } from "../../lib/toast.ts";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { FormerKeys } from "../api-keys/keys/former-keys.tsx";
import { CurrentKey, KeyLine } from "../api-keys/keys/key-line.tsx";
import { currentOf } from "../api-keys/keys/regenerate.ts";
import type { useShown } from "../api-keys/keys/use-revealed-secret.ts";
import { KeyRegeneration } from "./key-regeneration.tsx";

type Props = { tenantId: string; shown: ReturnType<typeof useShown<string>>; read: () => Promise<string> };

const told = { type: "success", title: "API Key Copied", description: "API key copied to clipboard successfully." } as const;

/** The organization's key behind bullets, the way to a new one, and what is left of former ones. */
export const TenantKey = ({ tenantId, shown: { secret, isReading, show, hide, reveal }, read }: Props) => {
  const refresh = useRefresh();
  const keys = useApi(tenants.listTenantApiKeys, { params: { tenantId } }, { fresh: true });
  const current = currentOf(keys.data);
  const end = async (keyId: string) => {
    await call(tenants.revokeTenantApiKey, { params: { tenantId, keyId } });
    await refresh(tenants.listTenantApiKeys);
  };
  return (
    <Stack as="section" gap="4" aria-labelledby="tenant-key">
      <Heading as="h3" size="md" id="tenant-key">
        API Key
      </Heading>
      <Alert.Root status="info">
        <Alert.Description>
          This key authenticates all requests that voice platforms make for this organization. Give it to nobody else.
        </Alert.Description>
      </Alert.Root>
      <KeyLine
        apiKey={secret}
        isReading={isReading}
        read={read}
        copied="Copied!"
        onShow={show}
        onHide={hide}
        onCopied={() => announce(told)}
      />
      {current ? (
        <Text textStyle="sm" color="fg.muted">
          <CurrentKey current={current} />
        </Text>
      ) : null}
      <KeyRegeneration tenantId={tenantId} keys={keys.data} onNewKey={(apiKey) => (apiKey === null ? hide() : reveal(apiKey))} />
      <Loadable loaded={keys} what="former API keys" skeleton={null}>
        {(list) => <FormerKeys keys={list} end={end} />}
      </Loadable>
    </Stack>
  );
};
