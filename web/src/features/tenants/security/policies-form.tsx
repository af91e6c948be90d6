import { Heading } from "@chakra-ui/react/heading";
import { SimpleGrid } from "@chakra-ui/react/simple-grid";
import { Stack } from "@chakra-ui/react/stack";
import { Text } from "@chakra-ui/react/text";
import { tenants } from "@vitaline/contract";
import { useState } from "react";
import { isStale } from "../../../lib/api/api-error.ts";
import { call } from "../../../lib/api/call.ts";
import { useRequestForm } from "../../../lib/forms/use-request-form.ts";
import { announce } from "../../../lib/toast.ts";
import { useDraft } from "../../../lib/forms/drafts.ts";
import { ChoiceField, TextField } from "../../../components/form/fields.tsx";
import { DialogFooter } from "../../../components/dialog/dialog-footer.tsx";
import { FormFrame, SubmitButton } from "../../../components/form/form-frame.tsx";
import { OvertakenNotice } from "../../../components/form/edit-conflict.tsx";
import { SwitchField } from "../../../components/form/switch-field.tsx";
import { required } from "../details/details-values.ts";
import {
  changedIn,
  countriesLabel,
  differences,
  keptThings,
  periods,
  policiesOf,
  type PolicyChange,
  PolicyFields,
  type PolicyValues,
  switches,
  withSaved,
} from "./policies-values.ts";
import type { Saving } from "../use-tenant.ts";

/** What the platform asks of the organization's people, lets its voice agents do, and keeps of its callers. */
export const PoliciesForm = ({ tenant, onSaved, onStale, onDraft }: Saving) => {
  const now = policiesOf(tenant);
  const [begun, setBegun] = useState(now);
  const { field, form, failure, isBusy, submit, reset } = useRequestForm<PolicyValues, PolicyChange>({
    schema: PolicyFields,
    defaultValues: begun,
    send: async (after) => {
      try {
        const body = { ...required(tenant), policies: changedIn(begun, after) };
        onSaved(await call(tenants.updateTenant, { params: { tenantId: tenant.id }, body }, { ifMatch: tenant.version }));
      } catch (error) {
        if (isStale(error)) await onStale();
        throw error;
      }
      beginWith(withSaved(now, begun, after));
      announce({ type: "success", title: "Policies saved" });
    },
  });
  const beginWith = (values: PolicyValues) => {
    setBegun(values);
    reset(values);
  };
  useDraft(form.formState.isDirty, "policies", onDraft);
  const changed = differences(begun, now);
  return (
    <Stack as="section" gap="4" aria-labelledby="policies">
      <Heading as="h3" size="md" id="policies">
        Policies
      </Heading>
      <FormFrame onSubmit={submit} failure={failure}>
        {changed.length === 0 ? null : <OvertakenNotice what="tenant" changed={changed} onTakeTheirs={() => beginWith(now)} />}
        {switches.map(({ name, label, hint }) => (
          <SwitchField key={name} label={label} hint={hint} {...form.register(name)} />
        ))}
        <TextField
          label={countriesLabel}
          hint="Voice agents text numbers of these countries only. Two letters for each, such as US, CA; if empty, the organization's own country."
          autoCapitalize="characters"
          spellCheck={false}
          {...field("textCountries")}
        />
        <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
          {keptThings.map(({ name, label }) => (
            <ChoiceField key={name} label={label} options={periods} {...field(name)} />
          ))}
        </SimpleGrid>
        <Text color="fg.muted">
          Whatever is older is deleted for good. New periods also apply to what is stored already, within minutes of saving.
        </Text>
        <DialogFooter>
          <SubmitButton isBusy={isBusy} busyText="Saving...">
            Save Policies
          </SubmitButton>
        </DialogFooter>
      </FormFrame>
    </Stack>
  );
};
