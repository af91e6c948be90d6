import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { ChangedVoiceAgent, type VoiceAgent, type VoiceProvider } from "@vitaline/contract";
import { useEffect, useId } from "react";
import { useEditForm } from "../../lib/forms/use-edit-form.ts";
import { announce } from "../../lib/toast.ts";
import { DetailList } from "../../components/table/detail-list.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { useReportForm } from "../../lib/forms/drafts.ts";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { platformNames } from "../../lib/format/labels.ts";
import type { AgentFormProps } from "./assign-form.tsx";
import { announceRefusal } from "./agent-labels.ts";

type Props = AgentFormProps & {
  agent: VoiceAgent;
  providers: readonly VoiceProvider[];
  change: (agent: VoiceAgent, isActive: boolean) => Promise<unknown>;
  reread: () => Promise<void>;
};

const done = "Voice agent assignment updated successfully";
const failed = "Failed to update voice agent assignment";

export const EditForm = ({ agent, providers, change, onForm, reread, onSaved, onCancel }: Props) => {
  const titleId = useId();
  const { field, form, failure, isBusy, submit } = useEditForm<VoiceAgent, ChangedVoiceAgent>({
    current: agent,
    valuesOf: ({ isActive }) => ({ isActive }),
    schema: ChangedVoiceAgent,
    save: async ({ isActive }) => {
      await change(agent, isActive);
      announce({ type: "success", title: done, description: agent.agentName });
      await onSaved(done);
    },
    reread,
    refuse: (error) => announceRefusal("Error", failed, error),
  });
  useReportForm(form.formState.isDirty, onForm);
  useEffect(() => form.setFocus("isActive"), [form]);
  const { error: _none, ...isActive } = field("isActive");
  const provider = providers.find(({ id }) => id === agent.voiceProviderId);
  return (
    <chakra.section aria-labelledby={titleId}>
      <chakra.h3 id={titleId} fontWeight="semibold" mb="4">
        {`Edit ${agent.agentName}`}
      </chakra.h3>
      <FormFrame onSubmit={submit} failure={failure}>
        <Stack gap="5">
          <DetailList
            details={[
              ["Voice provider", provider?.providerName ?? platformNames[agent.providerType]],
              ["Agent", agent.agentName],
              ["Agent ID", agent.externalAgentId],
            ]}
          />
          <SwitchField label="Active" hint="Calls to an inactive assignment are not answered for this organization." {...isActive} />
        </Stack>
        <DialogButtons isBusy={isBusy} action="Save Changes" busyAction="Saving..." onCancel={onCancel} />
      </FormFrame>
    </chakra.section>
  );
};
