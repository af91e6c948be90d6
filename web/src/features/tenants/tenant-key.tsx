import { Alert } from "@chakra-ui/react/alert";
import { Button } from "@chakra-ui/react/button";
import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { tenants } from "@vitaline/contract";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefresh } from "../../api/use-refresh.ts";
import { announce } from "../../app/toaster.ts";
import { Loadable } from "../../components/loadable.tsx";
import { FormerKeys } from "../api-keys/former-keys.tsx";
import { CurrentKey } from "../api-keys/key-facts.tsx";
import { KeyLine } from "../api-keys/key-line.tsx";
import { currentOf } from "../api-keys/regenerate.ts";
import { RegenerationQuestion } from "../api-keys/regeneration-question.tsx";
import type { useShown } from "../api-keys/use-shown.ts";
import { useRegeneration } from "./use-regeneration.ts";

type Props = { tenantId: string; shown: ReturnType<typeof useShown<string>>; read: () => Promise<string> };

const told = { type: "success", title: "API Key Copied", description: "API key copied to clipboard successfully." } as const;

/** The organization's key behind bullets, the way to a new one, and what is left of former ones. */
export const TenantKey = ({ tenantId, shown: { secret, isReading, show, hide, reveal }, read }: Props) => {
  const refresh = useRefresh();
  const keys = useApi(tenants.listTenantApiKeys, { params: { tenantId } }, { fresh: true });
  const [isAsking, setIsAsking] = useState(false);
  const { run, isBusy, failure, forget } = useRegeneration(tenantId, keys.data, (apiKey) => {
    setIsAsking(false);
    if (apiKey === null) hide();
    else reveal(apiKey);
  });
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
      <Button alignSelf="flex-start" size="sm" variant="outline" aria-disabled={isBusy} onClick={() => isBusy || setIsAsking(true)}>
        {isBusy ? "Generating..." : "Regenerate"}
      </Button>
      <Loadable loaded={keys} what="former API keys" skeleton={null}>
        {(list) => <FormerKeys keys={list} end={end} />}
      </Loadable>
      {isAsking ? (
        <RegenerationQuestion
          keys={keys.data}
          isBusy={isBusy}
          failure={failure}
          onConfirm={run}
          onCancel={() => {
            setIsAsking(false);
            forget();
          }}
        />
      ) : null}
    </Stack>
  );
};
