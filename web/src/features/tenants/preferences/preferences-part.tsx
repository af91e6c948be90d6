import { Stack } from "@chakra-ui/react/stack";
import { chakra } from "@chakra-ui/react/styled-system";
import { type ContactPreferences, type ContactPreferencesChange, tenants } from "@vitaline/contract";
import { call } from "../../../lib/api/call.ts";
import { useEditForm } from "../../../lib/forms/use-edit-form.ts";
import { announce } from "../../../lib/toast.ts";
import { useReportDraft } from "../../../lib/forms/drafts.ts";
import { ChoiceField } from "../../../components/form/fields.tsx";
import { DialogFooter } from "../../../components/dialog/dialog-footer.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { EditConflict } from "../../../components/form/edit-conflict.tsx";
import { HoursField } from "../../../components/form/hours-field.tsx";
import { SwitchField } from "../../../components/form/switch-field.tsx";
import { changesTo, differences, methods, PreferencesForm, type PreferenceValues, valuesOf } from "./preferences-values.ts";
import { FactsPanel } from "./facts-form.tsx";
import type { TenantFormProps } from "../use-tenant.ts";

const PreferencesPart = (props: TenantFormProps) => (
  <>
    <PreferencesPanel {...props} />
    <FactsPanel {...props} />
  </>
);

const PreferencesPanel = ({ tenant, onSaved, onStale, onDraft }: TenantFormProps) => {
  const { field, form, failure, isBusy, submit, conflict } = useEditForm<ContactPreferences, PreferenceValues, ContactPreferencesChange>({
    current: tenant.contactPreferences,
    valuesOf,
    schema: PreferencesForm,
    differences,
    save: async (sent, begun) => {
      const body = changesTo(valuesOf(begun), form.getValues(), sent);
      const request = { params: { tenantId: tenant.id }, body };
      const saved = await call(tenants.updateTenantContactPreferences, request, { ifMatch: tenant.version });
      onSaved(saved);
      announce({ type: "success", title: "Preferences saved" });
      return saved.contactPreferences;
    },
    reread: onStale,
  });
  useReportDraft(form.formState.isDirty, "preferences", onDraft);
  return (
    <FormFrame onSubmit={submit} failure={failure}>
      <EditConflict what="tenant" conflict={conflict} />
      <chakra.h3 fontWeight="semibold">Contact preferences</chakra.h3>
      <chakra.div maxW={{ sm: "xs" }}>
        <ChoiceField label="Default contact method" options={methods} {...field("defaultMethod")} />
      </chakra.div>
      <Stack gap="4">
        <SwitchField
          label="Email"
          hint="Patients may get email: confirmations, reminders and messages from voice agents."
          {...form.register("emailEnabled")}
        />
        <SwitchField label="SMS" hint="Patients may get the same by text message." {...form.register("smsEnabled")} />
        <SwitchField label="Phone" hint="For reference only: the platform does not call patients." {...form.register("phoneEnabled")} />
      </Stack>
      <chakra.h3 fontWeight="semibold">Business hours</chakra.h3>
      <HoursField form={form} field={field} place="businessHours" />
      <DialogFooter>
        <SubmitButton isBusy={isBusy} busyText="Saving...">
          Save Changes
        </SubmitButton>
      </DialogFooter>
    </FormFrame>
  );
};

export default PreferencesPart;
