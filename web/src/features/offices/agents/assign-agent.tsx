import { Alert } from "@chakra-ui/react/alert";
import { chakra } from "@chakra-ui/react/styled-system";
import { useEffect, useId, useRef, useState } from "react";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { NewVoiceAgent, type OwnVoiceProvider, tenantVoiceAgents } from "@vitaline/contract";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
import { call } from "../../../lib/api/call.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";
import { type ReportDraft, useReportDraft } from "../../../lib/forms/drafts.ts";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { providerLabel } from "../../../lib/format/labels.ts";
import { TextLink } from "../../../components/layout/links.tsx";
import { AgentPicker } from "./agent-picker.tsx";

type AssignProps = { officeId: string; providers: readonly OwnVoiceProvider[]; onAssigned: () => Promise<void>; onDraft: ReportDraft };

export const AssignAgent = (props: AssignProps) => {
  const titleId = useId();
  const [assigned, setAssigned] = useState(0);
  const section = useRef<HTMLElement>(null);
  // The new form has lost the focus of the one before.
  useEffect(() => {
    if (assigned > 0) section.current?.querySelector("select")?.focus();
  }, [assigned]);
  const providers = props.providers.filter(({ isActive }) => isActive);
  return (
    <chakra.section ref={section} aria-labelledby={titleId} borderTopWidth="1px" borderColor="border" pt="5">
      <chakra.h3 id={titleId} fontWeight="semibold" mb="4">
        Assign an agent
      </chakra.h3>
      {providers.length === 0 ? (
        <Alert.Root status="warning">
          <Alert.Content>
            <Alert.Title>You need to configure at least one voice provider before assigning agents.</Alert.Title>
            <Alert.Description>
              Connect yours, or ask the platform to, under <TextLink to="/tenant/settings/voice">Settings, Voice platforms</TextLink>.
            </Alert.Description>
          </Alert.Content>
        </Alert.Root>
      ) : (
        <AssignForm
          key={assigned}
          {...props}
          providers={providers}
          onAssigned={async () => {
            await props.onAssigned();
            setAssigned(assigned + 1);
          }}
        />
      )}
    </chakra.section>
  );
};

type Values = z.input<typeof NewVoiceAgent>;
const nothing: Values = { voiceProviderId: "", externalAgentId: "", agentName: "", agentData: null };

const AssignForm = ({ officeId, providers, onAssigned, onDraft }: AssignProps) => {
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
  useReportDraft(form.formState.isDirty, "agents", onDraft);
  const providerId = useWatch({ control: form.control, name: "voiceProviderId" });
  const provider = field("voiceProviderId");
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <ChoiceField
        label="Voice platform"
        options={[
          ...(only === undefined ? [{ value: "", label: "Choose a voice platform" }] : []),
          ...providers.map((provider) => ({ value: provider.id, label: providerLabel(provider) })),
        ]}
        {...provider}
        onChange={(event) => {
          // Agents belong to one platform.
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
