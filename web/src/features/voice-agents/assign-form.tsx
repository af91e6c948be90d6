import { chakra } from "@chakra-ui/react/styled-system";
import { NewVoiceAgent, type ProviderAgent, type VoiceProvider, voiceProviders } from "@vitaline/contract";
import { useEffect, useId } from "react";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
import { announce } from "../../lib/toast.ts";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { type FormState, useReportForm } from "../../lib/forms/drafts.ts";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { providerLabel } from "../../lib/format/labels.ts";
import { AgentPicker } from "../offices/agents/agent-picker.tsx";
import { showAtFields, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announceRefusal } from "./agent-labels.ts";

const done = "Voice agent assigned successfully";
const failed = "Failed to assign voice agent";
const selectionRequired = "Please select a voice provider and agent";
const names = ["voiceProviderId", "externalAgentId", "agentName"] as const;
const emptyValues: Values = { voiceProviderId: "", externalAgentId: "", agentName: "", agentData: null, isActive: true };

export type AgentFormProps = {
  onForm: (state: FormState) => void;
  onSaved: (sentence: string) => Promise<void>;
  onCancel: () => void;
};
type AssignFormProps = AgentFormProps & {
  providers: readonly VoiceProvider[];
  assign: (body: NewVoiceAgent) => Promise<unknown>;
};

export const AssignForm = ({ providers, onCancel, ...rest }: AssignFormProps) => {
  const [titleId, whyId] = [useId(), useId()];
  const { field, failure, isBusy, providerId, isChosen, put, send } = useAssignForm(rest);
  const provider = field("voiceProviderId");
  const { error: _none, ...isActive } = field("isActive");
  return (
    <chakra.section aria-labelledby={titleId}>
      <chakra.h3 id={titleId} fontWeight="semibold" mb="4">
        Assign an agent
      </chakra.h3>
      <FormFrame onSubmit={send} failure={failure}>
        <ChoiceField
          label="Voice provider"
          options={optionsOf(providers)}
          {...provider}
          onChange={(event) => {
            // Another provider has other agents.
            put(undefined);
            return provider.onChange(event);
          }}
        />
        {providerId === "" ? null : (
          <AgentPicker
            key={providerId}
            providerId={providerId}
            route={voiceProviders.listProviderAgents}
            failed="Failed to fetch provider agents"
            onFailed={announceListFailure}
            field={field("externalAgentId")}
            onChosen={put}
          />
        )}
        <TextField label="Agent name" autoComplete="off" {...field("agentName")} />
        <SwitchField label="Active" hint="It answers as soon as it is assigned." {...isActive} />
        {isChosen ? null : <chakra.p id={whyId} textStyle="sm" color="fg.muted">{`${selectionRequired}.`}</chakra.p>}
        <DialogButtons
          isBusy={isBusy}
          action="Assign Agent"
          busyAction="Assigning..."
          lacks={isChosen ? undefined : whyId}
          onCancel={onCancel}
        />
      </FormFrame>
    </chakra.section>
  );
};

type Values = z.input<typeof NewVoiceAgent>;

const useAssignForm = ({ assign, onForm, onSaved }: Pick<AssignFormProps, "assign" | "onForm" | "onSaved">) => {
  const { field, form, failure, isBusy, submit } = useRequestForm<Values, NewVoiceAgent>({
    schema: NewVoiceAgent,
    defaultValues: emptyValues,
    send: async (body) => {
      await assign(body);
      announce({ type: "success", title: done, description: body.agentName });
      await onSaved(done);
    },
    refuse: (error, refused) => {
      const sentence = announceRefusal("Error assigning voice agent", failed, error);
      return showAtFields<Values>([...names])(error, refused) === undefined ? undefined : sentence;
    },
  });
  useReportForm(form.formState.isDirty, onForm);
  useEffect(() => form.setFocus("voiceProviderId"), [form]);
  const [providerId, agentId] = useWatch({ control: form.control, name: ["voiceProviderId", "externalAgentId"] });
  const isChosen = providerId !== "" && agentId.trim() !== "";
  /** undefined clears the selection */
  const put = (agent: ProviderAgent | undefined): void => {
    form.setValue("externalAgentId", agent?.id ?? "", { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    form.setValue("agentName", agent?.name ?? "", { shouldDirty: true });
    form.setValue("agentData", agent ?? null);
  };
  return {
    field,
    failure,
    isBusy,
    providerId,
    isChosen,
    put,
    send: async () => (isChosen ? submit() : announce({ type: "error", title: "Error", description: selectionRequired })),
  };
};

const optionsOf = (providers: readonly VoiceProvider[]) => [
  { value: "", label: "Choose a voice provider" },
  ...providers.map((provider) => ({ value: provider.id, label: providerLabel(provider) })),
];

/** Called in an effect, where React cannot render a toast synchronously. */
const announceListFailure = () =>
  queueMicrotask(() => announce({ type: "error", title: "Error", description: "Failed to fetch agents from provider" }));
