import { chakra } from "@chakra-ui/react/styled-system";
import type { ChangedVoiceProvider, NewVoiceProvider, VoiceProvider } from "@vitaline/contract";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { explain } from "../../lib/api/api-error.ts";
import { showAtFields } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { type FormState, useReportForm } from "../../lib/forms/drafts.ts";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { ProviderFields, type ProviderRequest } from "./provider-fields.tsx";
import { fieldNames, type TypedVoiceProvider } from "./voice-provider-values.ts";

/** The requests of a form: the operator's for a tenant, or a tenant's for itself. */
export type ProviderCalls = {
  create(body: NewVoiceProvider): Promise<unknown>;
  update(id: string, body: ChangedVoiceProvider, ifMatch: number): Promise<unknown>;
};

export type ProviderFormProps = {
  calls: ProviderCalls;
  onForm: (state: FormState) => void;
  onSaved: (sentence: string) => Promise<void>;
  onCancel: () => void;
};
type Props = Pick<ProviderFormProps, "onForm" | "onCancel"> & {
  title: string;
  action: string;
  busyAction: string;
  provider?: VoiceProvider;
  request: ProviderRequest;
  notice?: ReactNode;
};

/** Shows a toast and the message in the form, as the dialog covers the toast. */
export const announceRefusal =
  (verb: "create" | "update"): typeof tell =>
  (error, form) => {
    const [title, failed] = [`Error ${verb === "create" ? "creating" : "updating"} voice provider`, `Failed to ${verb} voice provider`];
    announce({ type: "error", title, description: `${failed}. ${explain(error)}` });
    const forAll = tell(error, form);
    return forAll === undefined ? undefined : `${failed}. ${forAll}`;
  };
const tell = showAtFields<TypedVoiceProvider>(fieldNames);

export const ProviderForm = ({ title, action, busyAction, provider, request, notice, onForm, onCancel }: Props) => {
  const titleId = useId();
  const section = useRef<HTMLElement>(null);
  const { field, form, failure, isBusy, submit } = request;
  useReportForm(form.formState.isDirty, onForm);
  useEffect(() => section.current?.querySelector<HTMLElement>("select:not(:disabled), input:not([readonly])")?.focus(), [provider]);
  return (
    <chakra.section ref={section} aria-labelledby={titleId}>
      <chakra.h3 id={titleId} fontWeight="semibold" mb="4">
        {title}
      </chakra.h3>
      <FormFrame onSubmit={submit} failure={failure}>
        {notice}
        <ProviderFields field={field} form={form} provider={provider} />
        <DialogButtons isBusy={isBusy} action={action} busyAction={busyAction} onCancel={onCancel} />
      </FormFrame>
    </chakra.section>
  );
};
