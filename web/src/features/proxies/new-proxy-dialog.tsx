import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { NewProxy, proxies, ProxyRelationship } from "@vitaline/contract";
import { DialogButtons } from "../../components/dialog/dialog-footer.tsx";
import { Dialog } from "../../components/dialog/dialog.tsx";
import { ChoiceField, TextField } from "../../components/form/fields.tsx";
import { FormFrame } from "../../components/form/form-frame.tsx";
import { call } from "../../lib/api/call.ts";
import { useRefresh } from "../../lib/api/use-refresh.ts";
import { useZone } from "../../lib/format/times.ts";
import { showAtFields, useRequestForm } from "../../lib/forms/use-request-form.ts";
import { announce } from "../../lib/toast.ts";
import { relationshipNames } from "./proxy-format.tsx";
import { lastDayLabel, scopeLabel, scopeOptions, usualLastDay } from "./proxy-format.tsx";

const twoColumns = { columns: { base: 1, sm: 2 }, gap: "5" } as const;
const relationships = ProxyRelationship.options.map((value) => ({ value, label: relationshipNames[value] }));

const NewProxyDialog = ({ onClose }: { onClose: () => void }) => {
  const { field, failure, isBusy, submit, form } = useNewProxy(onClose);
  return (
    <Dialog
      title="Approve a person"
      description="Someone who may call for one patient. Check their authority first. Names are stored encrypted, like all patient data."
      isDirty={form.formState.isDirty}
      onClose={onClose}
    >
      <FormFrame onSubmit={submit} failure={failure}>
        <SimpleGrid {...twoColumns}>
          <TextField label="Person's full name" autoComplete="off" {...field("people.name")} />
          <TextField
            label="Person's phone"
            type="tel"
            autoComplete="off"
            hint="Used to verify the person on a call"
            {...field("people.phone")}
          />
          <ChoiceField label="Relationship" options={relationships} {...field("relationship")} />
          <ChoiceField label={scopeLabel} options={scopeOptions} {...field("scope")} />
          <TextField label="Patient's first name" autoComplete="off" {...field("people.patientFirstName")} />
          <TextField label="Patient's last name" autoComplete="off" {...field("people.patientLastName")} />
          <TextField label="Patient's date of birth" type="date" autoComplete="off" {...field("people.patientBirthDate")} />
          <TextField label="Medical record number" autoComplete="off" {...field("people.medicalRecordNumber")} />
          <TextField
            label={lastDayLabel}
            type="date"
            hint="An approval for a minor ends on the eighteenth birthday at the latest"
            {...field("validUntil")}
          />
        </SimpleGrid>
        <DialogButtons isBusy={isBusy} action="Approve" busyAction="Approving..." onCancel={onClose} />
      </FormFrame>
    </Dialog>
  );
};

const people = { name: "", phone: "", patientFirstName: "", patientLastName: "", patientBirthDate: "", medicalRecordNumber: "" };
const peopleFields = Object.keys(people).map((name) => `people.${name}` as `people.${keyof typeof people}`);

const useNewProxy = (onClose: () => void) => {
  const refresh = useRefresh();
  const zone = useZone();
  return useRequestForm({
    schema: NewProxy,
    defaultValues: { people, relationship: "parent", scope: "all", validUntil: usualLastDay(zone) },
    send: async (body) => {
      await call(proxies.approveProxy, { body });
      await refresh(proxies.listProxies);
      announce({ type: "success", title: "Person approved", description: "They can now call for the patient." });
      onClose();
    },
    refuse: showAtFields(["relationship", "scope", "validUntil", ...peopleFields]),
  });
};

export default NewProxyDialog;
