import { type ChangedVoiceProvider, type VoiceProvider, voiceProviders } from "@vitaline/contract";
import { useState } from "react";
import { isStale } from "../../lib/api/api-error.ts";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { OvertakenNotice } from "../../components/form/edit-conflict.tsx";
import { ProviderForm, type ProviderFormProps, announceRefusal } from "./provider-form.tsx";
import { differences, typedChangeOf } from "./voice-provider-changes.ts";
import { type TypedVoiceProvider, valuesOf } from "./voice-provider-values.ts";

type Props = ProviderFormProps & { provider: VoiceProvider; reread: () => Promise<void> };
type BegunProps = Props & { begun: VoiceProvider; onTakeTheirs: () => void };

const done = "Voice provider updated successfully";

const BegunForm = ({ begun, provider, reread, tenantId, onSaved, onTakeTheirs, ...rest }: BegunProps) => {
  const request = useRequestForm<TypedVoiceProvider, ChangedVoiceProvider>({
    schema: typedChangeOf(begun),
    defaultValues: valuesOf(begun),
    send: async (body) => {
      if (Object.keys(body).length === 0) return rest.onCancel();
      try {
        await call(voiceProviders.updateVoiceProvider, { params: { tenantId, id: begun.id }, body }, { ifMatch: provider.version });
      } catch (error) {
        if (isStale(error)) await reread();
        throw error;
      }
      announce({ type: "success", title: done, description: begun.providerName });
      await onSaved(done);
    },
    refuse: announceRefusal("update"),
  });
  return (
    <ProviderForm
      title={`Edit ${begun.providerName}`}
      action="Save Changes"
      busyAction="Saving..."
      provider={begun}
      request={request}
      notice={
        provider.version === begun.version ? null : (
          <OvertakenNotice what="provider" changed={differences(begun, provider)} onTakeTheirs={onTakeTheirs} />
        )
      }
      {...rest}
    />
  );
};

/** On a conflict, shows the other user's changes and keeps what was typed. */
export const EditProvider = (props: Props) => {
  const [begun, setBegun] = useState(props.provider);
  return <BegunForm key={begun.version} {...props} begun={begun} onTakeTheirs={() => setBegun(props.provider)} />;
};
