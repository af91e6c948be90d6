import { tenantVoiceProviders } from "@vitaline/contract";
import { useState } from "react";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { Loadable, RowSkeletons } from "../../components/feedback/loadable.tsx";
import { call } from "../../lib/api/call.ts";
import { useApi } from "../../lib/api/use-api.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import type { FormState } from "../../lib/forms/drafts.ts";
import { AddProvider, EditProvider } from "./add-and-edit-provider.tsx";
import type { ProviderCalls } from "./provider-form.tsx";

const { createOwnVoiceProvider, listOwnVoiceProviders, readOwnVoiceProvider, updateOwnVoiceProvider } = tenantVoiceProviders;

const calls: ProviderCalls = {
  create: (body) => call(createOwnVoiceProvider, { body }),
  update: (providerId, body, ifMatch) => call(updateOwnVoiceProvider, { params: { providerId }, body }, { ifMatch }),
};

type Props = {
  /** Of the provider to change; undefined to add one. */
  id: string | undefined;
  onClose: () => void;
};

/** An account of the tenant's own at a voice platform. */
const OwnVoiceProviderDialog = ({ id, onClose }: Props) => {
  const refresh = useRefresh();
  const [form, setForm] = useState<FormState>("closed");
  const shared = {
    calls,
    onForm: setForm,
    onCancel: onClose,
    onSaved: async () => {
      await refresh(listOwnVoiceProviders);
      onClose();
    },
  };
  return (
    <Dialog title="Voice platform" size="lg" isDirty={form === "dirty"} onClose={onClose}>
      {id === undefined ? <AddProvider {...shared} /> : <EditLoaded id={id} {...shared} />}
    </Dialog>
  );
};

const EditLoaded = ({ id, ...rest }: { id: string } & Parameters<typeof AddProvider>[0]) => {
  const refresh = useRefresh();
  const provider = useApi(readOwnVoiceProvider, { params: { providerId: id } }, { fresh: true });
  return (
    <Loadable loaded={provider} what="the provider" skeleton={<RowSkeletons />}>
      {(current) => <EditProvider {...rest} provider={current} reread={() => refresh(readOwnVoiceProvider)} />}
    </Loadable>
  );
};

export default OwnVoiceProviderDialog;
