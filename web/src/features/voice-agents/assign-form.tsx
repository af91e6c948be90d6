import { Button } from "@chakra-ui/react/button";
import { Flex } from "@chakra-ui/react/flex";
import { chakra } from "@chakra-ui/react/styled-system";
import { NewVoiceAgent, type ProviderAgent, type VoiceProvider, voiceProviders } from "@vitaline/contract";
import { useEffect, useId } from "react";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
import { tellAtFields, useRequestForm } from "../../app/request-form.ts";
import { announce } from "../../app/toaster.ts";
import { ChoiceField } from "../../components/choice-field.tsx";
import { type FormState, useTellForm } from "../../components/form-state.ts";
import { FormFrame } from "../../components/form-frame.tsx";
import { SwitchField } from "../../components/switch-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { platformNames } from "../../format/platform-names.ts";
import { AgentPicker } from "../offices/agent-picker.tsx";
import { refusalOf } from "./refusal-of.ts";

export type AgentFormProps = {
  onForm: (state: FormState) => void;
  onSaved: (sentence: string) => Promise<void>;
  /** Somebody else was faster. */ onOvertaken: () => Promise<void>;
  onCancel: () => void;
};
type Props = AgentFormProps & { providers: readonly VoiceProvider[]; assign: (body: NewVoiceAgent) => Promise<unknown> };
type Values = z.input<typeof NewVoiceAgent>;

const done = "Voice agent assigned successfully";
const failed = "Failed to assign voice agent";
const choose = "Please select a voice provider and agent";
const names = ["voiceProviderId", "externalAgentId", "agentName"] as const;

/** Provider, agent, the name that it goes by here, and whether it answers at once. */
export const AssignForm = ({ providers, assign, onForm, onSaved, onCancel }: Props) => {
  const titleId = useId();
  const { field, form, failure, isBusy, submit } = useRequestForm<Values, NewVoiceAgent>({
    schema: NewVoiceAgent,
    defaultValues: { voiceProviderId: "", externalAgentId: "", agentName: "", agentData: null, isActive: true },
    send: async (body) => {
      await assign(body);
      announce({ type: "success", title: done, description: body.agentName });
      await onSaved(done);
    },
    refuse: (error, refused) => {
      const sentence = refusalOf("Error assigning voice agent", failed, error);
      return tellAtFields<Values>([...names])(error, refused) === undefined ? undefined : sentence;
    },
  });
  useTellForm(form.formState.isDirty, onForm);
  useEffect(() => form.setFocus("voiceProviderId"), [form]);
  const [providerId, agentId] = useWatch({ control: form.control, name: ["voiceProviderId", "externalAgentId"] });
  const isChosen = providerId !== "" && agentId.trim() !== "";
  const put = (agent: ProviderAgent | undefined): void => {
    form.setValue("externalAgentId", agent?.id ?? "", { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    form.setValue("agentName", agent?.name ?? "", { shouldDirty: true });
    form.setValue("agentData", agent ?? null);
  };
  const provider = field("voiceProviderId");
  const { error: _none, ...isActive } = field("isActive");
  return (
    <chakra.section aria-labelledby={titleId}>
      <chakra.h3 id={titleId} fontWeight="semibold" mb="4">
        Assign an agent
      </chakra.h3>
      <FormFrame
        onSubmit={async () => (isChosen ? submit() : announce({ type: "error", title: "Error", description: choose }))}
        failure={failure}
      >
        <ChoiceField
          label="Voice provider"
          options={[
            { value: "", label: "Choose a voice provider" },
            ...providers.map(({ id, providerName, providerType }) => ({
              value: id,
              label: `${providerName} (${platformNames[providerType]})`,
            })),
          ]}
          {...provider}
          onChange={(event) => {
            // Another platform has other agents.
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
            onFailed={() => announce({ type: "error", title: "Error", description: "Failed to fetch agents from provider" })}
            field={field("externalAgentId")}
            onChosen={put}
          />
        )}
        <TextField label="Agent name" autoComplete="off" {...field("agentName")} />
        <SwitchField label="Active" hint="It answers as soon as it is assigned." {...isActive} />
        {isChosen ? null : (
          <chakra.p id={`${titleId}-why`} textStyle="sm" color="fg.muted">
            {choose}.
          </chakra.p>
        )}
        <Flex gap="3" wrap="wrap">
          <Button
            type="submit"
            size="lg"
            disabled={!isChosen}
            aria-describedby={isChosen ? undefined : `${titleId}-why`}
            aria-disabled={isBusy || undefined}
            onClick={(event) => isBusy && event.preventDefault()}
          >
            {isBusy ? "Assigning..." : "Assign Agent"}
          </Button>
          <Button size="lg" variant="outline" aria-disabled={isBusy} onClick={() => isBusy || onCancel()}>
            Cancel
          </Button>
        </Flex>
      </FormFrame>
    </chakra.section>
  );
};
