import { Stack } from "@chakra-ui/react/stack";
import { Alert } from "@chakra-ui/react/alert";
import { Heading } from "@chakra-ui/react/heading";
import { Text } from "@chakra-ui/react/text";
import { type ApiKey, tenants } from "@vitaline/contract";
import { Button } from "@chakra-ui/react/button";
import { useState } from "react";
import { IntegrationGuide } from "./integration-guide.tsx";
import { PoliciesForm } from "./policies-form.tsx";
import { readTenantApiKey, type TenantFormProps } from "../use-tenant.ts";
import { useRevealedSecret } from "../../api-keys/keys/use-revealed-secret.ts";
import { call } from "../../../lib/api/call.ts";
import { useApi } from "../../../lib/api/use-api.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { announce } from "../../../lib/toast.ts";
import { Loadable } from "../../../components/feedback/loadable.tsx";
import { FormerKeys } from "../../api-keys/keys/former-keys.tsx";
import { CurrentKey } from "../../api-keys/keys/key-line.tsx";
import { KeyLine } from "../../api-keys/keys/key-line.tsx";
import { activeKey, regenerateKey } from "../../api-keys/keys/regenerate.ts";
import { RegenerationConfirmation } from "../../api-keys/keys/regeneration-question.tsx";
import { ApiError } from "../../../lib/api/api-error.ts";
import { useAction } from "../../../lib/api/use-action.ts";

const SecurityPart = ({ isShown, ...saving }: TenantFormProps & { isShown: boolean }) => (
  <Stack gap="8">
    {isShown ? <Integration tenantId={saving.tenant.id} /> : null}
    <PoliciesForm {...saving} />
  </Stack>
);

/** Closing this tab drops the key. */
const Integration = ({ tenantId }: { tenantId: string }) => {
  const read = () => readTenantApiKey(tenantId);
  const shown = useRevealedSecret(read);
  return (
    <>
      <TenantKey tenantId={tenantId} shown={shown} read={read} />
      <IntegrationGuide tenantId={tenantId} apiKey={shown.secret} read={read} />
    </>
  );
};

type Props = { tenantId: string; shown: ReturnType<typeof useRevealedSecret<string>>; read: () => Promise<string> };
const told = { type: "success", title: "API Key Copied", description: "API key copied to clipboard successfully." } as const;

const TenantKey = ({ tenantId, shown: { secret, isReading, show, hide, reveal }, read }: Props) => {
  const refresh = useRefresh();
  const keys = useApi(tenants.listTenantApiKeys, { params: { tenantId } }, { fresh: true });
  const current = activeKey(keys.data);
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
          This key authenticates all requests that voice platforms make for this organization. Do not share it with anyone else.
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

type KeyRegenerationProps = {
  tenantId: string;
  /** undefined while loading */
  keys: readonly ApiKey[] | undefined;
  /** null if the new key could not be read. */
  onNewKey: (apiKey: string | null) => void;
};

const KeyRegeneration = ({ tenantId, keys, onNewKey }: KeyRegenerationProps) => {
  const [isAsking, setIsAsking] = useState(false);
  const { run, isBusy, failure, forget } = useRegeneration(tenantId, keys, (apiKey) => {
    setIsAsking(false);
    onNewKey(apiKey);
  });
  const leave = () => {
    setIsAsking(false);
    forget();
  };
  return (
    <>
      <Button alignSelf="flex-start" size="sm" variant="outline" aria-disabled={isBusy} onClick={() => isBusy || setIsAsking(true)}>
        {isBusy ? "Generating..." : "Regenerate"}
      </Button>
      {isAsking ? <RegenerationConfirmation keys={keys} isBusy={isBusy} failure={failure} onConfirm={run} onCancel={leave} /> : null}
    </>
  );
};

const replaced = {
  type: "success",
  title: "API Key Regenerated",
  description: "New API key generated successfully. Update your platform configurations with the new key.",
} as const;

/** `failure` is the error of the last attempt. */
const useRegeneration = (tenantId: string, keys: readonly ApiKey[] | undefined, onNewKey: (apiKey: string | null) => void) => {
  const refresh = useRefresh();
  const [failure, setFailure] = useState<unknown>();
  const params = { tenantId };
  const store = {
    list: () => call(tenants.listTenantApiKeys, { params }),
    replace: (overlapSeconds: number) => call(tenants.regenerateTenantApiKey, { params, body: { overlapSeconds } }),
    read: () => readTenantApiKey(tenantId),
  };
  const action = useAction(
    async (overlapSeconds: number) => {
      setFailure(undefined);
      onNewKey(await regenerateKey(overlapSeconds, keys, store));
      announce(replaced);
      await refresh(tenants.listTenantApiKeys);
    },
    (error) => {
      setFailure(error);
      const told = error instanceof ApiError ? error.problem?.error : undefined;
      announce({ type: "error", title: "Error", description: told ?? "Failed to regenerate API key. Please try again." });
      // The key may have been replaced despite the error. A second attempt compares with the current state.
      void refresh(tenants.listTenantApiKeys).catch(() => undefined);
    },
  );
  return { ...action, failure, forget: () => setFailure(undefined) };
};

export default SecurityPart;
