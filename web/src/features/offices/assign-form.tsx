import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { NewVoiceAgent, type OwnVoiceProvider, tenantVoiceAgents } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
import { call } from "../../lib/api/call.ts";
import { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { type TellDraft, useDraft } from "../../lib/forms/drafts.ts";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../components/form/form-frame.tsx";
import { platformNames } from "../../lib/format/labels.ts";
import { AgentPicker } from "./agent-picker.tsx";

export type AssignProps = { officeId: string; providers: readonly OwnVoiceProvider[]; onAssigned: () => Promise<void>; onDraft: TellDraft };
type Values = z.input<typeof NewVoiceAgent>;

const nothing: Values = { voiceProviderId: "", externalAgentId: "", agentName: "", agentData: null };

/** Platform, agent and the name that it goes by here. */
export const AssignForm = ({ officeId, providers, onAssigned, onDraft }: AssignProps) => {
  const only = providers.length === 1 ? providers[0]?.id : undefined;
  const { field, form, failure, isBusy, submit, reset } = useRequestForm<Values, NewVoiceAgent>({
    schema: NewVoiceAgent,
    defaultValues: { ...nothing, voiceProviderId: only ?? "" },
    send: async (body) => {
      await call(tenantVoiceAgents.assignOwnVoiceAgent, { params: { officeId }, body });
      announce({ type: "success", title: "Voice agent assigned successfully", description: body.agentName });
      reset();
      await onAssigned();
    },
  });
  useDraft(form.formState.isDirty, "agents", onDraft);
  const providerId = useWatch({ control: form.control, name: "voiceProviderId" });
  const provider = field("voiceProviderId");
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <ChoiceField
        label="Voice platform"
        options={[
          ...(only === undefined ? [{ value: "", label: "Choose a voice platform" }] : []),
          ...providers.map(({ id, providerName, providerType }) => ({
            value: id,
            label: `${providerName} (${platformNames[providerType]})`,
          })),
        ]}
        {...provider}
        onChange={(event) => {
          // Another platform has other agents.
          form.setValue("externalAgentId", "");
          form.setValue("agentName", "");
          form.setValue("agentData", null);
          return provider.onChange(event);
        }}
      />
      {providerId === "" ? null : (
        <AgentPicker
          key={providerId}
          providerId={providerId}
          field={field("externalAgentId")}
          onChosen={(agent) => {
            form.setValue("externalAgentId", agent?.id ?? "", { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
            form.setValue("agentName", agent?.name ?? "", { shouldDirty: true });
            form.setValue("agentData", agent ?? null);
          }}
        />
      )}
      <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
        <TextField label="Agent name" autoComplete="off" {...field("agentName")} />
      </SimpleGrid>
      <div>
        <SubmitButton isBusy={isBusy} busyText="Assigning...">
          Assign Agent
        </SubmitButton>
      </div>
    </FormFrame>
  );
};
