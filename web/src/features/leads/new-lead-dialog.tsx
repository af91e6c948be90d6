import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { LeadReason, leads, NewLead } from "@vitaline/contract";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { showAtFields, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { ChoiceField, TextAreaField, TextField } from "../../components/form/fields.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { leadReasonNames } from "./lead-format.tsx";

type Props = { offices: ReadonlyMap<string, string>; onClose: () => void };

const NewLeadDialog = ({ offices, onClose }: Props) => {
  const { field, failure, isBusy, submit, form } = useNewLead(onClose);
  const officeOptions = [{ value: "", label: "Any office" }, ...[...offices].map(([value, label]) => ({ value, label }))];
  return (
    <Dialog
      title="Add lead"
      description="A person who wants to be contacted. It is stored encrypted, like all patient data."
      isDirty={form.formState.isDirty}
      onClose={onClose}
    >
      <FormFrame onSubmit={submit} failure={failure}>
        <TextField label="Name" autoComplete="off" {...field("contact.name")} />
        <SimpleGrid columns={{ base: 1, sm: 2 }} gap="5">
          <TextField label="Phone" type="tel" autoComplete="off" hint="Or an email address" isOptional {...field("contact.phone")} />
          <TextField label="Email" type="email" autoComplete="off" isOptional {...field("contact.email")} />
          <ChoiceField
            label="Reason"
            options={LeadReason.options.map((value) => ({ value, label: leadReasonNames[value] }))}
            {...field("reason")}
          />
          <ChoiceField label="Office" isOptional options={officeOptions} {...field("officeId")} />
        </SimpleGrid>
        <TextAreaField label="Note" rows={3} isOptional {...field("contact.note")} />
        <DialogButtons isBusy={isBusy} action="Add lead" busyAction="Adding..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};

const useNewLead = (onClose: () => void) => {
  const refresh = useRefresh();
  return useRequestForm({
    schema: NewLead,
    defaultValues: { reason: "new_patient", officeId: "", contact: { name: "", phone: "", email: "", note: "" } },
    send: async (body) => {
      await call(leads.createLead, { body });
      await refresh(leads.listLeads);
      announce({ type: "success", title: "Lead added", description: "It is first in the list." });
      onClose();
    },
    refuse: showAtFields(["reason", "officeId", "contact.name", "contact.phone", "contact.email", "contact.note"]),
  });
};

export default NewLeadDialog;
