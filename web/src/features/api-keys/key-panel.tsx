import { Skeleton } from "@chakra-ui/react/skeleton";
import { Stack } from "@chakra-ui/react/stack";
import { apiKeys, tenant } from "@vitaline/contract";
import { useApi } from "../../lib/api/use-api.ts";
import { useAuth } from "../../lib/session/auth.tsx";
import { Loadable } from "../../components/feedback/loadable.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { OwnKey } from "./own-key.tsx";
import { UnseenKey } from "./unseen-key.tsx";

/** The tenant's key. What stands here without it comes without it, so that no cache ever holds a key. */
export const KeyPanel = () => {
  const { user } = useAuth();
  const info = useApi(tenant.tenantInfo, { query: { withKey: "false" } });
  const keys = useApi(apiKeys.listApiKeys, {});
  return (
    <Panel title="API Key Management" description="The key that your voice platforms present with every request.">
      <Loadable loaded={info} what="API key information" skeleton={<KeySkeleton />}>
        {(facts) => (user?.viewAs ? <UnseenKey facts={facts} keys={keys} /> : <OwnKey facts={facts} keys={keys} />)}
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
