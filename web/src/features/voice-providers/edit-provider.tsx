import { type ChangedVoiceProvider, type VoiceProvider, voiceProviders } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useEditForm } from "../../lib/forms/use-edit-form.ts";
import { announce } from "../../lib/toast.ts";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { ProviderForm, type ProviderFormProps, announceRefusal } from "./provider-form.tsx";
import { differences, typedChangeOf } from "./voice-provider-changes.ts";
import { type TypedVoiceProvider, valuesOf } from "./voice-provider-values.ts";

type Props = ProviderFormProps & { provider: VoiceProvider; reread: () => Promise<void> };

const done = "Voice provider updated successfully";

export const EditProvider = ({ provider, reread, tenantId, onSaved, ...rest }: Props) => {
  const { begun, conflict, ...request } = useEditForm<VoiceProvider, TypedVoiceProvider, ChangedVoiceProvider>({
    current: provider,
    valuesOf,
    schema: typedChangeOf,
    differences,
    hasConflict: (before, now) => before.version !== now.version,
    save: async (body, { id, providerName }) => {
      if (Object.keys(body).length === 0) return rest.onCancel();
      await call(voiceProviders.updateVoiceProvider, { params: { tenantId, id }, body }, { ifMatch: provider.version });
      announce({ type: "success", title: done, description: providerName });
      await onSaved(done);
    },
    reread,
    refuse: announceRefusal("update"),
  });
  return (
    <ProviderForm
      title={`Edit ${begun.providerName}`}
      action="Save Changes"
      busyAction="Saving..."
      provider={begun}
      request={request}
      notice={<EditConflict what="provider" conflict={conflict} />}
      {...rest}
    />
  );
};
