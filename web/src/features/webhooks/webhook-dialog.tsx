import { type NewWebhook, WebhookEventType } from "@vitaline/contract";
import type { ReactNode } from "react";
import type { useRequestForm } from "../../lib/forms/use-request-form.ts";
import { ChecksField } from "../../components/form/checks-field.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { SwitchField } from "../../components/form/switch-field.tsx";
import { TextField } from "../../components/form/fields.tsx";
import { eventHints, eventNames } from "./delivery-format.ts";
import type { WebhookValues } from "./webhook-changes.ts";

type Props = {
  title: string;
  action: string;
  busyAction: string;
  request: Pick<ReturnType<typeof useRequestForm<WebhookValues, NewWebhook>>, "field" | "form" | "failure" | "isBusy" | "submit">;
  onClose: () => void;
  /** Shown above the fields. */
  children?: ReactNode;
};

const events = WebhookEventType.options.map((value) => ({ value, label: eventNames[value], hint: eventHints[value] }));

export const WebhookDialog = ({ title, action, busyAction, request, onClose, children }: Props) => {
  const { field, form, failure, isBusy, submit } = request;
  const { error: _none, ...includeContact } = field("includeContact");
  return (
    <Dialog title={title} isDirty={form.formState.isDirty} onClose={onClose}>
      <FormFrame onSubmit={submit} failure={failure}>
        {children}
        <TextField
          label="Address"
          hint="Public, and beginning with https://. It must answer with a status of 200 to 299 within 10 seconds."
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          {...field("url")}
        />
        <ChecksField label="Events" options={events} {...field("events")} />
        <TextField label="Description" hint="What it is for." isOptional autoComplete="off" {...field("description")} />
        <SwitchField
          label="Send contact details of leads"
          hint="Names, phone numbers and email addresses of callers leave Vitaline with each captured lead. Only for systems covered by an agreement."
          {...includeContact}
        />
        <DialogButtons isBusy={isBusy} action={action} busyAction={busyAction} onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};
