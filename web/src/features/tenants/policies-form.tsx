import { Heading } from "@chakra-ui/react/heading";
import { Stack } from "@chakra-ui/react/stack";
import { Policies, tenants } from "@vitaline/contract";
import { useState } from "react";
import * as z from "zod/mini";
import { isStale } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { useRequestForm } from "../../app/request-form.ts";
import { announce } from "../../app/toaster.ts";
import { FormFrame } from "../../components/form-frame.tsx";
import { OvertakenNotice } from "../../components/overtaken-notice.tsx";
import { SubmitButton } from "../../components/submit-button.tsx";
import { SwitchField } from "../../components/switch-field.tsx";
import { useDraft } from "../offices/use-drafts.ts";
import { required } from "./details-values.ts";
import type { Saving } from "./tenant-parts.tsx";

const Switches = z.omit(Policies, { toolLevels: true });
type Switches = z.infer<typeof Switches>;

const switches = [
  {
    name: "requireTotp",
    label: "Require two-factor sign-in",
    hint: "Its people have to set up an authenticator before they can go on.",
  },
  {
    name: "ownFhirProviders",
    label: "Own FHIR providers",
    hint: "Its administrators can add and change record systems themselves, rather than ask for them.",
  },
  {
    name: "messageAnyContact",
    label: "Messages to any contact",
    hint: "Voice agents may also write to numbers and addresses that are not on file for the patient.",
  },
  {
    name: "messageFreeText",
    label: "Messages in free text",
    hint: "Voice agents may also write in their own words, beside the clinic's texts.",
  },
] as const satisfies readonly { name: keyof Switches; label: string; hint: string }[];

/** Only what was switched is sent, so that the rest stays as whoever else changes it leaves it. */
const switched = (before: Switches, after: Switches): Partial<Switches> =>
  Object.fromEntries(switches.filter(({ name }) => before[name] !== after[name]).map(({ name }) => [name, after[name]]));

const policiesOf = ({ policies: { requireTotp, ownFhirProviders, messageAnyContact, messageFreeText } }: Saving["tenant"]): Switches => ({
  requireTotp,
  ownFhirProviders,
  messageAnyContact,
  messageFreeText,
});

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
  const changed = switches.filter(({ name }) => begun[name] !== now[name]).map(({ label }) => label);
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
        <div>
          <SubmitButton isBusy={isBusy} busyText="Saving...">
            Save Policies
          </SubmitButton>
        </div>
      </FormFrame>
    </Stack>
  );
};
