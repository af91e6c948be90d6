import { type FhirProvider, tenantFhirProviders } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import ProviderDialog from "./provider-dialog.tsx";
import type { ProviderBody } from "./provider-form.ts";

type Props = { /** undefined: a new one. */ provider?: FhirProvider; onClose: () => void };

/** Adds or changes a record system that the tenant keeps itself. */
const OwnProviderDialog = ({ provider, onClose }: Props) => {
  const refresh = useRefresh();
  const save = async (body: ProviderBody, seenVersion: number | undefined) => {
    if (provider)
      await call(
        tenantFhirProviders.updateOwnFhirProvider,
        { params: { id: provider.id }, body },
        seenVersion === undefined ? {} : { ifMatch: seenVersion },
      );
    else await call(tenantFhirProviders.createOwnFhirProvider, { body });
    await refresh(tenantFhirProviders.listTenantFhirProviders, tenantFhirProviders.listOwnFhirProviders);
  };
  const reread = async () => (await call(tenantFhirProviders.listOwnFhirProviders, {})).find(({ id }) => id === provider?.id);
  return <ProviderDialog {...(provider && { provider })} save={save} reread={reread} onClose={onClose} />;
};

export default OwnProviderDialog;
