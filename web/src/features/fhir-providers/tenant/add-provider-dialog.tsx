import { tenant } from "@vitaline/contract";
import { useApi } from "../../../lib/api/use-api.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../../components/feedback/loadable.tsx";
import { OwnProviderDialog, RequestProviderDialog } from "./own-provider-dialog.tsx";

const AddProviderDialog = ({ onClose }: { onClose: () => void }) => {
  const settings = useApi(tenant.tenantSettings, {});
  if (settings.data === undefined)
    return (
      <Dialog title="Add Provider" onClose={onClose}>
        <Loadable loaded={settings} what="your organization's settings" skeleton={<RowSkeletons />}>
          {() => null}
        </Loadable>
      </Dialog>
    );
  return settings.data.policies.ownFhirProviders ? (
    <OwnProviderDialog onClose={onClose} />
  ) : (
    <RequestProviderDialog
      title="Request a provider"
      description="The platform manages your organization's record systems. Tell us which one you use, and support will add it."
      onClose={onClose}
    />
  );
};

export default AddProviderDialog;
