import type { ChangedVoiceProvider, NewVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { useEditForm } from "../../lib/forms/use-edit-form.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { EditConflict } from "../../components/form/edit-conflict.tsx";
import { ProviderForm, type ProviderFormProps, announceRefusal } from "./provider-form.tsx";
import { differences, typedChangeOf } from "./voice-provider-changes.ts";
import { noVoiceProvider, TypedNewVoiceProvider, type TypedVoiceProvider, valuesOf } from "./voice-provider-values.ts";

type EditProps = ProviderFormProps & { provider: VoiceProvider; reread: () => Promise<void> };

const updated = "Voice provider updated successfully";

export const EditProvider = ({ provider, reread, calls, onSaved, ...rest }: EditProps) => {
  const { begun, conflict, ...request } = useEditForm<VoiceProvider, TypedVoiceProvider, ChangedVoiceProvider>({
    current: provider,
    valuesOf,
    schema: typedChangeOf,
    differences,
    hasConflict: (before, now) => before.version !== now.version,
    save: async (body, { id, providerName }) => {
      if (Object.keys(body).length === 0) return rest.onCancel();
      await calls.update(id, body, provider.version);
      announce({ type: "success", title: updated, description: providerName });
      await onSaved(updated);
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

const created = "Voice provider created successfully";

export const AddProvider = ({ calls, onSaved, ...rest }: ProviderFormProps) => {
  const request = useRequestForm<TypedVoiceProvider, NewVoiceProvider>({
    schema: TypedNewVoiceProvider,
    defaultValues: noVoiceProvider,
    send: async (body) => {
      await calls.create(body);
      announce({ type: "success", title: created, description: body.providerName });
      await onSaved(created);
    },
    refuse: announceRefusal("create"),
  });
  return <ProviderForm title="Add a voice provider" action="Add Provider" busyAction="Adding..." request={request} {...rest} />;
};
