import { NewVoiceAgent, type ProviderAgent } from "@vitaline/contract";
import { useEffect } from "react";
import { useWatch } from "react-hook-form";
import type * as z from "zod/mini";
import { tellAtFields, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { useTellForm } from "../../lib/forms/drafts.ts";
import type { AssignFormProps } from "./assign-form.tsx";
import { refusalOf } from "./refusal-of.ts";

type Values = z.input<typeof NewVoiceAgent>;

const done = "Voice agent assigned successfully";
const failed = "Failed to assign voice agent";
export const choose = "Please select a voice provider and agent";
const names = ["voiceProviderId", "externalAgentId", "agentName"] as const;
const nobody: Values = { voiceProviderId: "", externalAgentId: "", agentName: "", agentData: null, isActive: true };

/** What is chosen and typed of a new assignment, and how it is sent. The first field has the focus. */
export const useAssignForm = ({ assign, onForm, onSaved }: Pick<AssignFormProps, "assign" | "onForm" | "onSaved">) => {
  const { field, form, failure, isBusy, submit } = useRequestForm<Values, NewVoiceAgent>({
    schema: NewVoiceAgent,
    defaultValues: nobody,
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
  /** An agent of the platform's own list, under the name that it has there; undefined takes the choice back. */
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
    send: async () => (isChosen ? submit() : announce({ type: "error", title: "Error", description: choose })),
  };
};
