import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { tenants } from "@vitaline/contract";
import { useState } from "react";
import { isStale } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useRequestForm } from "../../app/request-form.ts";
import { announce } from "../../app/toaster.ts";
import { useDraft } from "../../app/use-drafts.ts";
import { DialogFooter } from "../../components/dialog-footer.tsx";
import { FormFrame } from "../../components/form-frame.tsx";
import { OvertakenNotice } from "../../components/overtaken-notice.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { SwitchField } from "../../components/switch-field.tsx";
import { required } from "./details-changes.ts";
import { differences, policiesOf, switched, Switches, switches } from "./policies-values.ts";
import type { Saving } from "./tenant-parts.tsx";

/** What the platform asks of the organization's people, and lets its voice agents do. */
export const PoliciesForm = ({ tenant, onSaved, onStale, onDraft }: Saving) => {
  const now = policiesOf(tenant);
  const [begun, setBegun] = useState(now);
  const { form, failure, isBusy, submit, reset } = useRequestForm<Switches>({
    schema: Switches,
    defaultValues: begun,
    send: async (after) => {
      try {
        const body = { ...required(tenant), policies: switched(begun, after) };
        onSaved(await call(tenants.updateTenant, { params: { tenantId: tenant.id }, body }, { ifMatch: tenant.version }));
      } catch (error) {
        if (isStale(error)) await onStale();
        throw error;
      }
      beginWith({ ...now, ...switched(begun, after) });
      announce({ type: "success", title: "Policies saved" });
    },
  });
  const beginWith = (values: Switches) => {
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
        <DialogFooter>
          <SubmitButton isBusy={isBusy} busyText="Saving...">
            Save Policies
          </SubmitButton>
        </DialogFooter>
      </FormFrame>
    </Stack>
  );
};
