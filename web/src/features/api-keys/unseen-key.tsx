import { Alert } from "@chakra-ui/react/alert";
import { Stack } from "@chakra-ui/react/stack";
import type { ApiKey, TenantInfo } from "@vitaline/contract";
import type { Loaded } from "../../lib/api/use-api.ts";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { KeyFacts } from "./key-facts.tsx";
import { currentOf } from "./regenerate.ts";

/** For who looks at the tenant from the platform's side: everything but the key and what changes it. */
export const UnseenKey = ({ facts, keys }: { facts: TenantInfo; keys: Loaded<ApiKey[]> }) => (
  <Stack gap="6">
    <Alert.Root status="info">
      <Alert.Description>A tenant's API key is not shown while you view as the tenant.</Alert.Description>
    </Alert.Root>
    <KeyFacts facts={facts} current={currentOf(keys.data)} />
    <Loadable loaded={keys} what="API keys" skeleton={null}>
      {() => null}
    </Loadable>
  </Stack>
);
