import { Button } from "@chakra-ui/react/button";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { type FhirProvider, tenant, type TenantFhirProvider } from "@vitaline/contract";
import { useState } from "react";
import { type Loaded, useApi } from "../../../lib/api/use-api.ts";
import { DetailList } from "../../../components/table/detail-list.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { OwnProviderDialog, RequestProviderDialog } from "./own-provider-dialog.tsx";
import { providerDetails } from "./provider-card.tsx";

type Props = {
  provider: TenantFhirProvider;
  /** The tenant's own providers in full */
  own: Loaded<FhirProvider[]>;
  onClose: () => void;
};

const ConfigureDialog = ({ provider, own, onClose }: Props) => {
  const settings = useApi(tenant.tenantSettings, {});
  if (!provider.isOwn || settings.data?.policies.ownFhirProviders === false)
    return <ReadOnlyDetails provider={provider} onClose={onClose} />;
  const full = own.data?.find(({ id }) => id === provider.id);
  if (full) return <OwnProviderDialog provider={full} onClose={onClose} />;
  return (
    <Dialog title={`Configure ${provider.providerName}`} onClose={onClose}>
      <Loadable loaded={own} what="the configuration" skeleton={<RowSkeletons />}>
        {() => null}
      </Loadable>
    </Dialog>
  );
};

const ReadOnlyDetails = ({ provider, onClose }: Omit<Props, "own">) => {
  const [isAsking, setIsAsking] = useState(false);
  if (isAsking)
    return (
      <RequestProviderDialog
        title="Ask for a change"
        description={`Platform support changes ${provider.providerName} for you.`}
        beginning={`Please change our record system "${provider.providerName}": `}
        onClose={onClose}
      />
    );
  return (
    <Dialog title={`Configure ${provider.providerName}`} onClose={onClose}>
      <Stack gap="5" align="flex-start">
        <Text color="fg.muted">
          {provider.isOwn
            ? "Your organization cannot currently change its own record systems. Platform support can change it for you."
            : "The platform manages this record system, so only the platform can change it."}
        </Text>
        <DetailList details={[...providerDetails(provider), ["Status", provider.isActive ? "Active" : "Inactive"]]} />
        <Button onClick={() => setIsAsking(true)}>Ask for a change</Button>
      </Stack>
    </Dialog>
  );
};

export default ConfigureDialog;
