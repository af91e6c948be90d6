import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { tenants } from "@vitaline/contract";
import { call } from "../../../lib/api/call.ts";
import { useEditForm } from "../../../lib/forms/use-edit-form.ts";
import { announce } from "../../../lib/toast.ts";
import { useReportDraft } from "../../../lib/forms/drafts.ts";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { DialogFooter } from "../../../components/dialog/dialog-footer.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { EditConflict } from "../../../components/form/edit-conflict.tsx";
import { SwitchField } from "../../../components/form/switch-field.tsx";
import { requiredFields } from "../details/details-values.ts";
import {
  changedPolicies,
  confidentialAges,
  confidentialLabel,
  countriesLabel,
  differences,
  minorsSwitches,
  retentionFields,
  periods,
  policiesOf,
  toolRunsLabel,
  type PolicyChange,
  PolicyFields,
  type PolicyValues,
  switches,
  type WithPolicies,
} from "./policies-values.ts";
import type { TenantFormProps } from "../use-tenant.ts";

export const PoliciesForm = ({ tenant, onSaved, onStale, onDraft }: TenantFormProps) => {
  const { field, form, failure, isBusy, submit, conflict } = useEditForm<WithPolicies, PolicyValues, PolicyChange>({
    current: tenant,
    valuesOf: policiesOf,
    schema: PolicyFields,
    differences,
    save: async (after, begun) => {
      const body = { ...requiredFields(tenant), policies: changedPolicies(policiesOf(begun), after) };
      const saved = await call(tenants.updateTenant, { params: { tenantId: tenant.id }, body }, { ifMatch: tenant.version });
      onSaved(saved);
      announce({ type: "success", title: "Policies saved" });
      return saved;
    },
    reread: onStale,
  });
  useReportDraft(form.formState.isDirty, "policies", onDraft);
  return (
    <Stack as="section" gap="4" aria-labelledby="policies">
      <Heading as="h3" size="md" id="policies">
        Policies
      </Heading>
      <FormFrame onSubmit={submit} failure={failure}>
        <EditConflict what="tenant" conflict={conflict} />
        {switches.map(({ name, label, hint }) => (
          <SwitchField key={name} label={label} hint={hint} {...form.register(name)} />
        ))}
        <TextField
          label={countriesLabel}
          hint="Voice agents text numbers of these countries only. Use two-letter codes, such as US, CA. If empty, only the organization's own country."
          autoCapitalize="characters"
          spellCheck={false}
          {...field("textCountries")}
        />
        <TextField
          label={toolRunsLabel}
          hint="Calls above this limit are asked to wait a moment, so that one organization cannot slow down the others."
          inputMode="numeric"
          {...field("toolRunsPerMinute")}
        />
        {minorsSwitches.map(({ name, label, hint }) => (
          <SwitchField key={name} label={label} hint={hint} {...form.register(name)} />
        ))}
        <ChoiceField
          label={confidentialLabel}
          hint="Parents may still arrange visits, insurance and messages. The age depends on state law."
          options={confidentialAges}
          {...field("confidentialFrom")}
        />
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
          {retentionFields.map(({ name, label }) => (
            <ChoiceField key={name} label={label} options={periods} {...field(name)} />
          ))}
        </SimpleGrid>
        <Text color="fg.muted">Older data is permanently deleted. New periods also apply to existing data, within minutes of saving.</Text>
        <DialogFooter>
          <SubmitButton isBusy={isBusy} busyText="Saving...">
            Save Policies
          </SubmitButton>
        </DialogFooter>
      </FormFrame>
    </Stack>
  );
};
