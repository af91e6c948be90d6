import { type NewVoiceProvider, voiceProviders } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { ProviderForm, type ProviderFormProps, tellRefusal } from "./provider-form.tsx";
import { noVoiceProvider, TypedNewVoiceProvider, type TypedVoiceProvider } from "./voice-provider-values.ts";

const done = "Voice provider created successfully";

/** Connects an organization to a voice platform. */
export const AddProvider = ({ tenantId, onSaved, ...rest }: ProviderFormProps) => {
  const request = useRequestForm<TypedVoiceProvider, NewVoiceProvider>({
    schema: TypedNewVoiceProvider,
    defaultValues: noVoiceProvider,
    send: async (body) => {
      await call(voiceProviders.createVoiceProvider, { params: { tenantId }, body });
      announce({ type: "success", title: done, description: body.providerName });
      await onSaved(done);
    },
    refuse: tellRefusal("create"),
  });
  return <ProviderForm title="Add a voice provider" action="Add Provider" busyAction="Adding..." request={request} {...rest} />;
};
