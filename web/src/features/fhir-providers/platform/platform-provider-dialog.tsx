import { type FhirProvider, fhirProviders } from "@vitaline/contract";
import { call } from "../../../lib/api/call.ts";
import { useApi } from "../../../lib/api/use-api.ts";
import { useRefresh } from "../../../lib/api/use-refresh.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { useConnectionCheck } from "../health/connection-checks.ts";
import { ProviderDialog } from "../form/provider-dialog.tsx";
import type { ProviderBody } from "../form/provider-values.ts";

type Props = { provider: FhirProvider | undefined; onClose: () => void };

const { listFhirProviders, fhirHealthStatus, listFhirAssignments } = fhirProviders;

const PlatformProviderDialog = ({ provider, onClose }: Props) => {
  const presets = useApi(fhirProviders.listFhirPresets, {}, { when: provider === undefined });
  const refresh = useRefresh();
  const check = useConnectionCheck();
  const save = async (body: ProviderBody, seenVersion: number | undefined) => {
    const seen = seenVersion === undefined ? {} : { ifMatch: seenVersion };
    const saved = provider
      ? await call(fhirProviders.updateFhirProvider, { params: { id: provider.id }, body }, seen)
      : await call(fhirProviders.createFhirProvider, { body });
    // Check a new or changed connection right away; its row shows the result.
    const canAnswer = saved.isActive && (saved.grant !== "authorization_code" || saved.isAuthorized);
    if (canAnswer && saved.connectionStatus === "unknown") check(saved.id).catch(() => undefined);
    await refresh(listFhirProviders, fhirHealthStatus, listFhirAssignments);
  };
  const reread = async () => (await call(listFhirProviders, {})).find(({ id }) => id === provider?.id);
  if (provider === undefined && presets.data === undefined)
    return (
      <Dialog title="Add FHIR Provider" onClose={onClose}>
        <Loadable loaded={presets} what="vendors' presets" skeleton={<RowSkeletons />}>
          {() => null}
        </Loadable>
      </Dialog>
    );
  return (
    <ProviderDialog
      {...(provider && { provider })}
      presets={presets.data ?? []}
      discover={(baseUrl) => call(fhirProviders.discoverFhirServer, { body: { baseUrl } })}
      mayUsePlatformKey
      save={save}
      reread={reread}
      onClose={onClose}
    />
  );
};

export default PlatformProviderDialog;
