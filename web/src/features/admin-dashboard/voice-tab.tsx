import { Stack } from "@chakra-ui/react/stack";
import { voiceAgents, voiceProviders } from "@vitaline/contract";
import { lazy, Suspense } from "react";
import { useEachTenant } from "../../lib/api/use-each-tenant.ts";
import { IsolatedCache } from "../../lib/api/isolated-cache.tsx";
import { VoiceAgentsPanel } from "../voice-agents/voice-agents-panel.tsx";
import { VoiceProvidersPanel } from "../voice-providers/voice-providers-panel.tsx";
import { isRecordId, useSearchValues } from "../../lib/routing/search-params.ts";

const ProvidersDialog = lazy(() => import("../voice-providers/voice-providers-dialog.tsx"));
const AgentsDialog = lazy(() => import("../voice-agents/voice-agents-dialog.tsx"));

const VoiceTab = () => {
  const providers = useEachTenant(voiceProviders.listVoiceProviders, ofTenant);
  const agents = useEachTenant(voiceAgents.listVoiceAgents, ofTenant);
  const { dialog, tenantId, officeId, open, show, close } = useVoiceRoute();
  return (
    <Stack gap="panels">
      <VoiceProvidersPanel each={providers} onOpen={(id) => open("providers", id)} />
      <VoiceAgentsPanel each={agents} onOpen={(id) => open("agents", id)} />
      <Suspense fallback={null}>
        {dialog === "providers" ? (
          <IsolatedCache>
            <ProvidersDialog tenantId={tenantId} onTenant={show} onChanged={providers.refreshOne} onClose={close} />
          </IsolatedCache>
        ) : null}
        {dialog === "agents" ? (
          <IsolatedCache>
            <AgentsDialog tenantId={tenantId} officeId={officeId} onPlace={show} onChanged={agents.refreshOne} onClose={close} />
          </IsolatedCache>
        ) : null}
      </Suspense>
    </Stack>
  );
};

const ofTenant = (tenantId: string) => ({ params: { tenantId } });

export type VoiceDialog = (typeof dialogs)[number];
const dialogs = ["providers", "agents"] as const;

/** The open dialog with its tenant and office, from the address. "" is none. */
const useVoiceRoute = () => {
  const { search, go, replace } = useSearchValues();
  const named = (name: string): string => {
    const text = search.get(name);
    return isRecordId(text) ? text : "";
  };
  const asked = search.get("dialog");
  return {
    dialog: dialogs.find((one) => one === asked),
    tenantId: named("for"),
    officeId: named("office"),
    open: (opened: VoiceDialog, tenantId = "") => go({ dialog: opened, for: tenantId, office: "" }),
    show: (tenantId: string, officeId = "") => replace({ for: tenantId, office: officeId }),
    /** Replaces the history entry: Back does not open the dialog again. */
    close: () => replace({ dialog: "", for: "", office: "" }),
  };
};

export default VoiceTab;
