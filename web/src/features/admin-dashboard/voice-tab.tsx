import { Stack } from "@chakra-ui/react/stack";
import { voiceAgents, voiceProviders } from "@vitaline/contract";
import { lazy, Suspense } from "react";
import { useEachTenant } from "../../lib/api/use-each-tenant.ts";
import { Forgetting } from "../../lib/api/isolated-cache.tsx";
import { VoiceAgentsPanel } from "../voice-agents/voice-agents-panel.tsx";
import { VoiceProvidersPanel } from "../voice-providers/voice-providers-panel.tsx";
import { useVoicePlace } from "./use-voice-place.ts";

const ProvidersDialog = lazy(() => import("../voice-providers/voice-providers-dialog.tsx"));
const AgentsDialog = lazy(() => import("../voice-agents/voice-agents-dialog.tsx"));

const ofTenant = (tenantId: string) => ({ params: { tenantId } });

/** Voice platforms and voice agents of all organizations. */
const VoiceTab = () => {
  const providers = useEachTenant(voiceProviders.listVoiceProviders, ofTenant);
  const agents = useEachTenant(voiceAgents.listVoiceAgents, ofTenant);
  const { dialog, tenantId, officeId, open, show, close } = useVoicePlace();
  return (
    <Stack gap="5">
      <VoiceProvidersPanel each={providers} onOpen={(id) => open("providers", id)} />
      <VoiceAgentsPanel each={agents} onOpen={(id) => open("agents", id)} />
      <Suspense fallback={null}>
        {dialog === "providers" ? (
          <Forgetting>
            <ProvidersDialog tenantId={tenantId} onTenant={show} onChanged={providers.refreshOne} onClose={close} />
          </Forgetting>
        ) : null}
        {dialog === "agents" ? (
          <Forgetting>
            <AgentsDialog tenantId={tenantId} officeId={officeId} onPlace={show} onChanged={agents.refreshOne} onClose={close} />
          </Forgetting>
        ) : null}
      </Suspense>
    </Stack>
  );
};

export default VoiceTab;
